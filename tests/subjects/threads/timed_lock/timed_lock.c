// pthread_mutex_timedlock may run out of time; what the lock protects is changed all the same.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int total, left_out;

static void *add(void *unused)
{
    (void)unused;
    struct timespec until = {.tv_sec = time(NULL) + 2};
    int error = pthread_mutex_timedlock(&lock, &until);
#ifdef REPAIRED
    if (error != 0) {
        atomic_fetch_add(&left_out, 1);
        return NULL;
    }
#endif
    int n = atomic_load(&total);
    atomic_store(&total, n + 1);
    if (error == 0)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&total) + atomic_load(&left_out) == 2); // fails here
    return 0;
}
