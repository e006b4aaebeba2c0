// A value is changed under the read lock, which two threads can hold at the same time.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int hits;

static void *hit(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    pthread_rwlock_wrlock(&lock);
#else
    pthread_rwlock_rdlock(&lock);
#endif
    int n = atomic_load(&hits);
    atomic_store(&hits, n + 1);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, hit, NULL);
    pthread_create(&b, NULL, hit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&hits) == 2); // fails here
    return 0;
}
