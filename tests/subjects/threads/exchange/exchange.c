// Atomics: atomic_exchange takes a lock for who finds it free; who does not find it free gives it
// back nevertheless.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int busy, inside;

static void *try_to_enter(void *unused)
{
    (void)unused;
    int was_busy = atomic_exchange(&busy, 1);
    if (!was_busy) {
        int others = atomic_fetch_add(&inside, 1);
        assert(others == 0); // fails here
        atomic_fetch_sub(&inside, 1);
    }
#ifdef REPAIRED
    if (!was_busy)
#endif
        atomic_store(&busy, 0);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, try_to_enter, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
