// pthread_cond_timedwait: the time may be over while another thread has the mutex, and what was waited
// for has come by the time that the mutex is had again.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    struct timespec soon = {1, 0};
    int late = 0;
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!ready && !late)
        late = pthread_cond_timedwait(&changed, &lock, &soon) == ETIMEDOUT;
#ifdef REPAIRED
    late = late && !ready;
#endif
    assert(!late || !ready); // fails here
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
