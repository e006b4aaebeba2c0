// A failure that needs one number and one interleaving: the writer's value between two of ours.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;

static void *write_three(void *unused)
{
    (void)unused;
    atomic_store(&x, 3);
    return NULL;
}

int main(void)
{
    int z;
    if (read(0, &z, sizeof z) != (ssize_t)sizeof z)
        return 1;
    pthread_t t;
    pthread_create(&t, NULL, write_three, NULL);
    atomic_store(&x, 2);
    int seen = atomic_load(&x);
#ifdef REPAIRED
    if (seen == 2)
        assert(2u * (unsigned)z + 1 != (unsigned)seen);
#else
    assert(2u * (unsigned)z + 1 != (unsigned)seen); // fails here
#endif
    pthread_join(t, NULL);
    return 0;
}
