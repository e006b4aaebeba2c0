// An error-checking mutex refuses to be taken twice (EDEADLK); who does not look gives it back too
// early.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock;
static atomic_int calls, total;

static void note_call(void)
{
    int error = pthread_mutex_lock(&lock);
    atomic_fetch_add(&calls, 1);
#ifdef REPAIRED
    if (error == 0)
        pthread_mutex_unlock(&lock);
#else
    (void)error;
    pthread_mutex_unlock(&lock);
#endif
}

static void *add(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    note_call();
    int n = atomic_load(&total);
    atomic_store(&total, n + 1);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &kind);
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&total) == 2); // fails here
    return 0;
}
