// Joining: the value that a thread returns is an address of what all threads write to.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int last;

static void *square(void *arg)
{
    int n = (int)(intptr_t)arg;
    atomic_store(&last, n * n);
#ifdef REPAIRED
    return (void *)(intptr_t)(n * n);
#else
    return &last;
#endif
}

static int joined(pthread_t t)
{
    void *value;
    pthread_join(t, &value);
#ifdef REPAIRED
    return (int)(intptr_t)value;
#else
    return atomic_load((atomic_int *)value);
#endif
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, square, (void *)(intptr_t)3);
    pthread_create(&b, NULL, square, (void *)(intptr_t)4);
    int first = joined(a);
    assert(first == 9); // fails here
    int second = joined(b);
    return first + second == 0;
}
