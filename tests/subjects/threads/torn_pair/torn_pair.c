// Atomics: a reader takes a pair for whole when the number of changes is the same before and after;
// that it must be even as well is forgotten.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int changes, left, right;

static void *change(void *unused)
{
    (void)unused;
    atomic_fetch_add(&changes, 1);
    atomic_store(&left, 1);
    atomic_store(&right, 1);
    atomic_fetch_add(&changes, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    int before = atomic_load(&changes);
    int l = atomic_load(&left), r = atomic_load(&right);
    int after = atomic_load(&changes);
#ifdef REPAIRED
    if (before == after && before % 2 == 0)
#else
    if (before == after)
#endif
        assert(l == r); // fails here
    pthread_join(t, NULL);
    return 0;
}
