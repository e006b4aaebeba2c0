// A thread spins, and gives way meanwhile, until there is something: it looks by a compare-and-exchange,
// which takes what is there, and then takes what may be there no more.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int items = 1;

static void *take(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    int expected = 1;
    while (!atomic_compare_exchange_strong(&items, &expected, 0)) {
        expected = 1;
        sched_yield();
    }
#else
    while (atomic_load(&items) == 0)
        sched_yield();
    int left = atomic_fetch_sub(&items, 1);
    assert(left > 0); // fails here
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, take, NULL);
    pthread_create(&b, NULL, take, NULL);
    while (atomic_load(&items) > 0)
        sched_yield();
    atomic_fetch_add(&items, 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
