// Lamport's fast lock: who reads `y` or `x` before his own stores are seen enters while the other is inside.
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

static atomic_int x, y, b[3], inside;

static void inside_alone(void)
{
    assert(atomic_fetch_add(&inside, 1) == 0); // fails here
    atomic_fetch_sub(&inside, 1);
}

static void *enter(void *arg)
{
    int me = (int)(long)arg;
start:
    SET(b[me], 1);
    SET(x, me);
    FENCE();
    if (GET(y) != 0) {
        SET(b[me], 0);
        while (GET(y) != 0)
            ;
        goto start;
    }
    SET(y, me);
    FENCE();
    if (GET(x) != me) {
        SET(b[me], 0);
        FENCE();
        for (int other = 1; other <= 2; other++)
            while (GET(b[other]))
                ;
        if (GET(y) != me) {
            while (GET(y) != 0)
                ;
            goto start;
        }
    }
    inside_alone();
    SET(y, 0);
    SET(b[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, enter, (void *)2);
    enter((void *)1);
    pthread_join(t, NULL);
    return 0;
}
