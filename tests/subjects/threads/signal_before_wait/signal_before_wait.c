// A signal that comes before anybody waits is gone: nothing remembers that it was sent.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static int is_finished;

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    is_finished = 1;
    pthread_cond_signal(&finished);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
#ifdef REPAIRED
    while (!is_finished)
        pthread_cond_wait(&finished, &lock);
#else
    do
        pthread_cond_wait(&finished, &lock); // fails here
    while (!is_finished);
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
