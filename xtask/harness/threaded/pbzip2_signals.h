// In place of the signal by which pbzip2's main ends the thread that waits for signals.
#ifndef PBZIP2_SIGNALS_H
#define PBZIP2_SIGNALS_H
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t told_to_quit;

static inline int wait_for_signal(const sigset_t *, int *caught)
{
    sem_wait(&told_to_quit);
    *caught = SIGUSR1;
    return 0;
}

static inline int send_signal(pthread_t, int)
{
    return sem_post(&told_to_quit);
}

#define sigwait wait_for_signal
#define pthread_kill send_signal
#endif
