// A thread that can be cancelled at any point: not all of them are tried, and that is counted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int begun, ended;

static void *counts(void *unused)
{
    (void)unused;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    atomic_fetch_add(&begun, 1);
    atomic_fetch_add(&ended, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, counts, NULL);
    while (!atomic_load(&begun))
        ;
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert(ended == 1);
    return 0;
}
