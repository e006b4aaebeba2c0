// The owner of a robust mutex ends between two changes that belong together. Who gets the mutex next has to repair that.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int low, high;

static void *moves_half(void *unused)
{
    (void)unused;
    if (pthread_mutex_lock(&lock) == 0)
        low++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    pthread_create(&thread, NULL, moves_half, NULL);
    if (pthread_mutex_lock(&lock) == EOWNERDEAD) {
#ifdef REPAIRED
        high = low;
#endif
        pthread_mutex_consistent(&lock);
    }
    assert(low == high); // fails here
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
