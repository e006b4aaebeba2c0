// Atomics: the last seat is looked at first and taken with fetch_sub afterwards; what fetch_sub
// returns would have told.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int seats = 1, sold;

static void *buy(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    if (atomic_fetch_sub(&seats, 1) <= 0)
        return NULL;
#else
    if (atomic_load(&seats) <= 0)
        return NULL;
    atomic_fetch_sub(&seats, 1);
#endif
    atomic_fetch_add(&sold, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, buy, NULL);
    pthread_create(&b, NULL, buy, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&sold) == 1); // fails here
    return 0;
}
