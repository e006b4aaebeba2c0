// What a thread waits for is made true without the lock: between its look and its sleep.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stopped = PTHREAD_COND_INITIALIZER;
static atomic_int is_stopped;

static void *wait_for_stop(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!atomic_load(&is_stopped))
        pthread_cond_wait(&stopped, &lock); // fails here
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, wait_for_stop, NULL);
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
    atomic_store(&is_stopped, 1);
    pthread_mutex_unlock(&lock);
#else
    atomic_store(&is_stopped, 1);
#endif
    pthread_cond_signal(&stopped);
    pthread_join(t, NULL);
    return 0;
}
