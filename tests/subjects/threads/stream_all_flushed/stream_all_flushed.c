// `fflush(NULL)` waits for every stream: with a lock, for one whose owner waits for that lock.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *counts(void *unused)
{
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
    flockfile(stdout);
#else
    flockfile(stdout);
    pthread_mutex_lock(&lock); // fails here
#endif
    count++;
    funlockfile(stdout);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, counts, NULL);
    pthread_mutex_lock(&lock);
    fflush(NULL); // fails here
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
