// pthread_spin_trylock: nobody looks whether the lock was taken.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static atomic_int inside;

static void *enter(void *unused)
{
    (void)unused;
    int busy = pthread_spin_trylock(&lock);
#ifdef REPAIRED
    if (busy)
        return NULL;
#endif
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0); // fails here
    atomic_fetch_sub(&inside, 1);
    if (!busy)
        pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
