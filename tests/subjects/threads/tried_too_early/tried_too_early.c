// pthread_tryjoin_np does not wait: what a thread that still runs will leave is not there yet.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int answer;

static void *work(void *unused)
{
    (void)unused;
    atomic_store(&answer, 42);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int error = pthread_tryjoin_np(t, NULL);
#ifdef REPAIRED
    if (error != 0)
        error = pthread_join(t, NULL);
#endif
    assert(atomic_load(&answer) == 42); // fails here
    if (error != 0)
        pthread_join(t, NULL);
    return 0;
}
