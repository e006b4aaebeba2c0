// pthread_rwlock_tryrdlock fails while somebody writes: what is read then is half of the old and
// half of the new.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int low, high;

static void *change(void *unused)
{
    (void)unused;
    if (pthread_rwlock_trywrlock(&lock) != 0)
        return NULL;
    atomic_store(&low, 1);
    atomic_store(&high, 1);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    int error = pthread_rwlock_tryrdlock(&lock);
#ifdef REPAIRED
    if (error != 0)
        error = pthread_rwlock_rdlock(&lock);
#endif
    int first = atomic_load(&low), second = atomic_load(&high);
    if (error == 0)
        pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    assert(first == second); // fails here
    return 0;
}
