// The bakery: who reads the other's number before it is seen that he chooses his own enters with the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef REPAIRED
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#else
#define FENCE() ((void)0)
#endif
#define GET(from) atomic_load_explicit(&from, memory_order_relaxed)
#define SET(to, value) atomic_store_explicit(&to, value, memory_order_relaxed)

static atomic_int choosing[2], number[2], inside;

static void inside_alone(void)
{
    assert(atomic_fetch_add(&inside, 1) == 0); // fails here
    atomic_fetch_sub(&inside, 1);
}

static void *enter(void *arg)
{
    long me = (long)arg, other = 1 - me;
    SET(choosing[me], 1);
    FENCE();
    int mine = GET(number[other]) + 1;
    SET(number[me], mine);
    SET(choosing[me], 0);
    FENCE();
    while (GET(choosing[other]))
        ;
    for (;;) {
        int its = GET(number[other]);
        if (its == 0 || its > mine || (its == mine && other > me))
            break;
    }
    inside_alone();
    SET(number[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, enter, (void *)1);
    enter((void *)0);
    pthread_join(t, NULL);
    return 0;
}
