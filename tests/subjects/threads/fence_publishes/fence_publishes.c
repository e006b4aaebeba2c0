// Atomics: a relaxed store behind a fence publishes data to who reads it before a fence; without the
// first of the fences nothing orders the data.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int published;

static void *publish(void *unused)
{
    (void)unused;
    data = 7; // or here
#ifdef REPAIRED
    atomic_thread_fence(memory_order_release);
#endif
    atomic_store_explicit(&published, 1, memory_order_relaxed);
    return NULL;
}

static void *read_it(void *sum)
{
    if (atomic_load_explicit(&published, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        *(int *)sum += data; // fails here
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int sum = 0;
    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, read_it, &sum);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return sum != 0 && sum != 7;
}
