// What functions of the C library lend to their callers is overwritten by the next call.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static time_t first = 0, second = 400 * 86400L;

static void *year(void *at)
{
    time_t when = *(time_t *)at;
#ifdef REPAIRED
    struct tm parts, *lent = gmtime_r(&when, &parts);
#else
    struct tm *lent = gmtime(&when); // or here
#endif
    assert(lent->tm_year == (when ? 71 : 70)); // fails here
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, year, &first);
    year(&second);
    pthread_join(thread, NULL);
    return 0;
}
