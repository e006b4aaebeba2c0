// pthread_exit in main lets the other threads finish; return ends them all.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int written;

static void *write_all(void *unused)
{
    (void)unused;
    atomic_fetch_add(&written, 1);
    atomic_fetch_add(&written, 1);
    return NULL;
}

static void at_the_end(void)
{
    assert(atomic_load(&written) == 2); // fails here
}

int main(void)
{
    atexit(at_the_end);
    pthread_t t;
    pthread_create(&t, NULL, write_all, NULL);
#ifdef REPAIRED
    pthread_exit(NULL);
#endif
    return 0;
}
