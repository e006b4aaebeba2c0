// Creating: threads are given the address of their number, which counts on before they read it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int number[2] = {0, 1};
static atomic_int next;
static atomic_int seen[3];

static void *work(void *arg)
{
    int mine = atomic_load((atomic_int *)arg);
    atomic_store(&seen[mine], 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++) {
#ifdef REPAIRED
        pthread_create(&t[i], NULL, work, &number[i]);
#else
        pthread_create(&t[i], NULL, work, &next);
#endif
        atomic_fetch_add(&next, 1);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    (void)number;
    int all = atomic_load(&seen[0]) + atomic_load(&seen[1]);
    assert(all == 2); // fails here
    return 0;
}
