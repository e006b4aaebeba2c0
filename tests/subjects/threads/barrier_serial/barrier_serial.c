// One thread, of which the barrier says that it is the one, adds up what all have made; the others
// do not wait for it.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int part[2];
static atomic_int sum;

static void *work(void *arg)
{
    int i = (int)(intptr_t)arg;
    part[i] = i + 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        atomic_store(&sum, part[0] + part[1]);
#ifdef REPAIRED
    pthread_barrier_wait(&barrier);
#endif
    int seen = atomic_load(&sum);
    assert(seen == 3); // fails here
    return NULL;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)(intptr_t)1);
    work((void *)(intptr_t)0);
    pthread_join(t, NULL);
    return 0;
}
