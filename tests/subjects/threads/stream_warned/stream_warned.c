// `warnx` waits for the stream of errors: with a lock, while its owner waits for that lock.
#include <err.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *counts(void *unused)
{
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
    flockfile(stderr);
#else
    flockfile(stderr);
    pthread_mutex_lock(&lock); // fails here
#endif
    count++;
    funlockfile(stderr);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, counts, NULL);
    pthread_mutex_lock(&lock);
    warnx("counted"); // fails here
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
