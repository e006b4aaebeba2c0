// Atomics: a load and a store are each atomic, and together are not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int total;

static void *add(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    atomic_fetch_add(&total, 1);
#else
    atomic_store(&total, atomic_load(&total) + 1);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&total) == 2); // fails here
    return 0;
}
