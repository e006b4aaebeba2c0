// pthread_rwlock_timedwrlock may run out of time while somebody reads; it is written all the same.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int left, right;

static void *change(void *unused)
{
    (void)unused;
    struct timespec until = {.tv_sec = time(NULL)};
    int error = pthread_rwlock_timedwrlock(&lock, &until);
#ifdef REPAIRED
    if (error != 0)
        return NULL;
#endif
    atomic_store(&left, 1);
    atomic_store(&right, 1);
    if (error == 0)
        pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    pthread_rwlock_rdlock(&lock);
    int l = atomic_load(&left), r = atomic_load(&right);
    pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    assert(l == r); // fails here
    return 0;
}
