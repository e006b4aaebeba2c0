// A mutex is destroyed while another thread is about to lock it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex); // fails here
    pthread_mutex_unlock(&mutex); // or here
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifdef REPAIRED
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&mutex);
#else
    pthread_mutex_destroy(&mutex);
    pthread_join(thread, NULL);
#endif
    return 0;
}
