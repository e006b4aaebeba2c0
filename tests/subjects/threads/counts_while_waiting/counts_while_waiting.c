// One counts how often it has looked until it is told to stop, the other waits for a number of looks:
// for exactly that one it may come too late. Who counts is never as it was, but lets the other have a
// turn.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int looks, stop;

static void *wait_for_looks(void *unused)
{
#ifdef REPAIRED
    while (atomic_load(&looks) < 3)
        ;
#else
    while (atomic_load(&looks) != 3) // or here
        ;
#endif
    atomic_store(&stop, 1);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, wait_for_looks, NULL);
    while (!atomic_load(&stop))         // fails here
        atomic_fetch_add(&looks, 1);    // or here
    pthread_join(other, NULL);
    return 0;
}
