// Each of two threads says that it wants to pass, and then lets the other pass first.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], gave_way;

static void *pass(void *arg)
{
    int me = (int)(intptr_t)arg, other = 1 - me;
    atomic_store(&wants[me], 1);
#ifdef REPAIRED
    if (atomic_load(&wants[other]))
        atomic_store(&gave_way, 1);
#else
    while (atomic_load(&wants[other])) // fails here
        sched_yield(); // or here
#endif
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, pass, (void *)(intptr_t)0);
    pthread_create(&b, NULL, pass, (void *)(intptr_t)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return atomic_load(&gave_way) > 1;
}
