// Signals: a handler takes the lock that the thread it interrupts may hold.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int work;
static atomic_int asked;

static void handle(int number)
{
    (void)number;
#ifdef REPAIRED
    atomic_store(&asked, 1);
#else
    pthread_mutex_lock(&lock); // fails here
    atomic_store(&asked, 1);
    pthread_mutex_unlock(&lock);
#endif
}

static void *run(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    work++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return work != 1;
}
