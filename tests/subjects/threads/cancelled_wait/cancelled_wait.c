// pthread_cancel: a wait on a condition that is cancelled takes the mutex once more; the clean-up
// handler must give it back.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, waiting;

static void no_longer_waiting(void *unused)
{
    (void)unused;
    waiting--;
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
}

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_cleanup_push(no_longer_waiting, NULL);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_cleanup_pop(0);
    waiting--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_cancel(t);
    pthread_join(t, NULL);
    pthread_mutex_lock(&lock); // fails here
    int n = waiting;
    pthread_mutex_unlock(&lock);
    return n;
}
