// C11 threads: of two functions that change a balance, one forgets mtx_lock.
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static atomic_int balance = 10;

static int deposit(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    int before = atomic_load(&balance);
    atomic_store(&balance, before + 5);
    mtx_unlock(&lock);
    return 0;
}

static int withdraw(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    mtx_lock(&lock);
#endif
    int before = atomic_load(&balance);
    atomic_store(&balance, before - 3);
#ifdef REPAIRED
    mtx_unlock(&lock);
#endif
    return 0;
}

int main(void)
{
    mtx_init(&lock, mtx_plain);
    thrd_t a, b;
    thrd_create(&a, deposit, NULL);
    thrd_create(&b, withdraw, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(atomic_load(&balance) == 12); // fails here
    mtx_destroy(&lock);
    return 0;
}
