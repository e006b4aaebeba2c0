// A thread that keeps the stream of errors waits for one that prints there: only where whoever prints does not lock it
// by itself they go on.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdio_ext.h>

static sem_t printed;

static void *waits(void *unused)
{
    flockfile(stderr);
    sem_wait(&printed); // fails here
    funlockfile(stderr);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&printed, 0, 0);
#ifdef REPAIRED
    __fsetlocking(stderr, FSETLOCKING_BYCALLER);
#endif
    pthread_create(&thread, NULL, waits, NULL);
    fputs("ready", stderr); // fails here
    sem_post(&printed);
    pthread_join(thread, NULL);
    return 0;
}
