// C11 threads: the destructor of a tss value runs after the thread's function has said that it is
// done, and before thrd_join returns.
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static tss_t record;
static atomic_int done, saved;

static void save(void *number)
{
    atomic_store(&saved, *(int *)number);
}

static int work(void *number)
{
    tss_set(record, number);
    atomic_store(&done, 1);
    return 0;
}

int main(void)
{
    static int number = 7;
    tss_create(&record, save);
    thrd_t t;
    thrd_create(&t, work, &number);
#ifdef REPAIRED
    thrd_join(t, NULL);
#endif
    if (atomic_load(&done)) {
        int n = atomic_load(&saved);
        assert(n == 7); // fails here
    }
#ifndef REPAIRED
    thrd_join(t, NULL);
#endif
    return 0;
}
