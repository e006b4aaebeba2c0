// Atomics: a lock for which threads spin; whether it is free is asked for first and then it is taken.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int taken, inside;

static void lock(void)
{
#ifdef REPAIRED
    while (atomic_exchange(&taken, 1))
        ;
#else
    while (atomic_load(&taken))
        ;
    atomic_store(&taken, 1);
#endif
}

static void *work(void *unused)
{
    (void)unused;
    lock();
    assert(atomic_fetch_add(&inside, 1) == 0); // fails here
    atomic_fetch_sub(&inside, 1);
    atomic_store(&taken, 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
