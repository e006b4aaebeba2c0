// Two threads read the standard input by different functions: whoever comes first gets the line.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char rest[4];

static void *reads_line(void *unused)
{
    (void)unused;
    if (!fgets(rest, sizeof rest, stdin))
        rest[0] = 0;
    return NULL;
}

int main(void)
{
    pthread_t thread;
#ifdef REPAIRED
    int first = getchar();
    pthread_create(&thread, NULL, reads_line, NULL);
#else
    pthread_create(&thread, NULL, reads_line, NULL);
    int first = getchar();
#endif
    pthread_join(thread, NULL);
    assert(first != EOF || rest[0] != 'j'); // fails here
    return 0;
}
