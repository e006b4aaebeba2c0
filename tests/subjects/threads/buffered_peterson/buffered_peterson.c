// Peterson's lock: who reads the other's wish before his own is seen enters while the other is inside.
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

static atomic_int wants[2], turn, inside;

static void inside_alone(void)
{
    assert(atomic_fetch_add(&inside, 1) == 0); // fails here
    atomic_fetch_sub(&inside, 1);
}

static void *enter(void *arg)
{
    long me = (long)arg;
    SET(wants[me], 1);
    SET(turn, 1 - (int)me);
    FENCE();
    while (GET(wants[1 - me]) && GET(turn) == 1 - me)
        ;
    inside_alone();
    SET(wants[me], 0);
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
