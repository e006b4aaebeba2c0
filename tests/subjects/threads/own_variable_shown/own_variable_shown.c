// Each thread has its own, but one has shown another where: what both do to it has orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local atomic_int mine;

static void *add(void *theirs)
{
    atomic_int *count = theirs;
#ifdef REPAIRED
    atomic_fetch_add(count, 1);
#else
    atomic_store(count, atomic_load(count) + 1);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, &mine);
#ifdef REPAIRED
    atomic_fetch_add(&mine, 1);
#else
    atomic_store(&mine, atomic_load(&mine) + 1);
#endif
    pthread_join(t, NULL);
    assert(mine == 2); // fails here
    return 0;
}
