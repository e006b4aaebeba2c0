// Between a look at what a handler sets and the sleep until one runs, it may have run.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int told;

static void handle(int number)
{
    (void)number;
    atomic_store(&told, 1);
}

static void *wait_for_it(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    sigset_t none;
    sigemptyset(&none);
    while (!atomic_load(&told))
        sigsuspend(&none);
#else
    sigset_t usr;
    sigemptyset(&usr);
    sigaddset(&usr, SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &usr, NULL);
    while (!atomic_load(&told))
        pause(); // fails here
#endif
    return NULL;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    sigset_t usr;
    sigemptyset(&usr);
    sigaddset(&usr, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr, NULL);
    pthread_t t;
    pthread_create(&t, NULL, wait_for_it, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
