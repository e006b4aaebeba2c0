// A block that is to be atomic: what was looked at under the lock is no longer so when it is acted upon.
#include <elsewise.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 2;

static void *reserve(void *unused)
{
    (void)unused;
    elsewise_atomic_begin();
    pthread_mutex_lock(&lock);
    int left = seats; // fails here
#ifndef REPAIRED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    seats = left - 1; // or here
    pthread_mutex_unlock(&lock);
    elsewise_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reserve, NULL);
    pthread_create(&b, NULL, reserve, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
