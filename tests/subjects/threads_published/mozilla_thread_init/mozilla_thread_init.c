// Mozilla 61369 (nsThread): a thread asks for the state of its own object, into which the one that has
// started it has perhaps not written the thread yet.
#include <pthread.h>
#include <stdlib.h>

struct native {
    int state;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct native *current;

static void *thread_main(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    int state = current->state; // fails here
    pthread_mutex_unlock(&mutex);
    return (void *)(long)state;
}

int main(void)
{
    static struct native native = {1};
    pthread_t thread;
#ifdef REPAIRED
    pthread_mutex_lock(&mutex);
#endif
    pthread_create(&thread, NULL, thread_main, NULL);
#ifndef REPAIRED
    pthread_mutex_lock(&mutex);
#endif
    current = &native;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
