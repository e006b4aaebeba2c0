// C11 threads: mtx_timedlock may return thrd_timedout, and two are where one should be.
#define _GNU_SOURCE
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static atomic_int inside;

static int enter(void *unused)
{
    (void)unused;
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    int result = mtx_timedlock(&lock, &until);
#ifdef REPAIRED
    if (result != thrd_success)
        return 1;
#endif
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0); // fails here
    atomic_fetch_sub(&inside, 1);
    if (result == thrd_success)
        mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    mtx_init(&lock, mtx_timed);
    thrd_t a, b;
    thrd_create(&a, enter, NULL);
    thrd_create(&b, enter, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
