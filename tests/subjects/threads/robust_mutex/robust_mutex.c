// A robust mutex tells that its holder has died (EOWNERDEAD); who does not make it consistent
// leaves it to nobody.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock;
static atomic_int value;

static void *die(void *unused)
{
    (void)unused;
    if (pthread_mutex_lock(&lock) == 0)
        atomic_store(&value, 1);
    return NULL;
}

static int enter(void)
{
    int error = pthread_mutex_lock(&lock);
    if (error == EOWNERDEAD) {
        atomic_store(&value, 0);
#ifdef REPAIRED
        pthread_mutex_consistent(&lock);
#endif
        error = 0;
    }
    return error;
}

int main(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &kind);
    pthread_t t;
    pthread_create(&t, NULL, die, NULL);
    if (enter() == 0) {
        atomic_fetch_add(&value, 1);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(t, NULL);
    int error = enter();
#ifdef REPAIRED
    assert(error == 0);
#else
    assert(error == 0); // fails here
#endif
    atomic_fetch_add(&value, 1);
    pthread_mutex_unlock(&lock);
    return 0;
}
