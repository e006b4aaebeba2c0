// Szymanski's lock: of its four fences, none but the first is left out; who then reads the other's flag before
// his own is seen enters while the other is inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#define GET(from) atomic_load_explicit(&from, memory_order_relaxed)
#define SET(to, value) atomic_store_explicit(&to, value, memory_order_relaxed)

static atomic_int flag[2], inside;

static void inside_alone(void)
{
    assert(atomic_fetch_add(&inside, 1) == 0); // fails here
    atomic_fetch_sub(&inside, 1);
}

static void *enter(void *arg)
{
    long me = (long)arg, other = 1 - me;
    SET(flag[me], 1);
#ifdef REPAIRED
    FENCE();
#endif
    while (GET(flag[other]) >= 3)
        ;
    SET(flag[me], 3);
    FENCE();
    if (GET(flag[other]) == 1) {
        SET(flag[me], 2);
        FENCE();
        while (GET(flag[other]) != 4)
            ;
    }
    SET(flag[me], 4);
    FENCE();
    if (me == 1)
        while (GET(flag[other]) >= 2)
            ;
    inside_alone();
    if (me == 0) {
        int its;
        do
            its = GET(flag[other]);
        while (its == 2 || its == 3);
    }
    SET(flag[me], 0);
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
