// Threads draw tickets and spin until theirs is called, which each has in a variable of its own whose
// address others were given: drawn in two steps, two may have the same.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int drawn, called, inside;

static void draw(int *ticket)
{
#ifdef REPAIRED
    *ticket = atomic_fetch_add(&drawn, 1);
#else
    *ticket = atomic_load(&drawn);
    atomic_store(&drawn, *ticket + 1);
#endif
}

static void *work(void *unused)
{
    int ticket;
    draw(&ticket);
    while (atomic_load(&called) != ticket) // or here
        ;
    assert(atomic_fetch_add(&inside, 1) == 0); // fails here
    atomic_fetch_sub(&inside, 1);
    atomic_fetch_add(&called, 1);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, work, NULL);
    work(NULL);
    pthread_join(other, NULL);
    return 0;
}
