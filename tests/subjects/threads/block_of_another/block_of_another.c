// Somebody comes into the midst of an atomic block in both twins; in the repaired one, it is of no
// consequence, as nobody else touches what the block touches.
#include <elsewise.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counts[2];

static void *count(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    atomic_store(&counts[1], 5);
#else
    atomic_store(&counts[0], 5);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, count, NULL);
    elsewise_atomic_begin();
    int seen = atomic_load(&counts[0]); // fails here
    atomic_store(&counts[0], seen + 1);
    elsewise_atomic_end();
    pthread_join(t, NULL);
    return 0;
}
