// C11 threads: who does not go through call_once sees what is only half made.
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static atomic_int size, end;

static void make(void)
{
    atomic_store(&size, 8);
    atomic_store(&end, 8);
}

static int use(void *unused)
{
    (void)unused;
#ifndef REPAIRED
    if (atomic_load(&size) == 0)
#endif
        call_once(&once, make);
    int n = atomic_load(&end);
    assert(n == 8); // fails here
    return 0;
}

int main(void)
{
    thrd_t a, b;
    thrd_create(&a, use, NULL);
    thrd_create(&b, use, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
