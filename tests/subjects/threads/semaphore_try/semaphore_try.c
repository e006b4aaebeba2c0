// sem_trywait says by its result that there was nothing to take; what is there is taken anyway.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t filled;
static atomic_int slot;

static void *fill(void *unused)
{
    (void)unused;
    atomic_store(&slot, 9);
    sem_post(&filled);
    return NULL;
}

int main(void)
{
    sem_init(&filled, 0, 0);
    pthread_t t;
    pthread_create(&t, NULL, fill, NULL);
#ifdef REPAIRED
    if (sem_trywait(&filled) != 0)
        sem_wait(&filled);
#else
    sem_trywait(&filled);
#endif
    int taken = atomic_load(&slot);
    assert(taken == 9); // fails here
    pthread_join(t, NULL);
    return 0;
}
