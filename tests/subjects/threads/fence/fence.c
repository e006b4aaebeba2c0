// Atomics: two threads say what they want and look, behind a fence, whether the other wants it too;
// one of them looks first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], inside;

static void enter(void)
{
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0); // fails here
}

static void *first(void *unused)
{
    (void)unused;
    atomic_store_explicit(&wants[0], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&wants[1], memory_order_relaxed))
        enter();
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    atomic_store_explicit(&wants[1], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int other = atomic_load_explicit(&wants[0], memory_order_relaxed);
#else
    int other = atomic_load_explicit(&wants[0], memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&wants[1], 1, memory_order_relaxed);
#endif
    if (!other)
        enter();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
