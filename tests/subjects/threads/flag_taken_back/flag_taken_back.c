// A thread spins until a flag is set; that it was set and taken back in between, it does not see.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int pulse;
static sem_t remembered;

static void *wait_for_pulse(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    sem_wait(&remembered);
#else
    while (!atomic_load(&pulse)) // fails here
        sched_yield();
#endif
    return NULL;
}

int main(void)
{
    sem_init(&remembered, 0, 0);
    pthread_t t;
    pthread_create(&t, NULL, wait_for_pulse, NULL);
    atomic_store(&pulse, 1);
    sem_post(&remembered);
    atomic_store(&pulse, 0);
    pthread_join(t, NULL);
    return 0;
}
