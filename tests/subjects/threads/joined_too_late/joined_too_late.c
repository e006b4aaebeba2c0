// Creating and joining: the result of a thread is looked at before the thread has been joined.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int result;

static void *work(void *unused)
{
    (void)unused;
    atomic_store(&result, 42);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
#ifdef REPAIRED
    pthread_join(t, NULL);
    assert(atomic_load(&result) == 42);
#else
    assert(atomic_load(&result) == 42); // fails here
    pthread_join(t, NULL);
#endif
    return 0;
}
