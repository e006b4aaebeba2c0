// pthread_cancel: a thread is cancelled while it holds a lock, and has no clean-up handler.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int steps;

static void release(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
#ifdef REPAIRED
    pthread_cleanup_push(release, &lock);
    steps++;
    pthread_testcancel();
    steps++;
    pthread_cleanup_pop(1);
#else
    steps++;
    pthread_testcancel();
    steps++;
    release(&lock);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    pthread_mutex_lock(&lock); // fails here
    int n = steps;
    pthread_mutex_unlock(&lock);
    return n == 3;
}
