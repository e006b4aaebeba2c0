// An error-checking mutex refuses to be given back by a thread that does not hold it (EPERM): as a
// signal between threads it does not work.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static sem_t semaphore;
static int value, seen;

static void signal_ready(void)
{
#ifdef REPAIRED
    sem_post(&semaphore);
#else
    pthread_mutex_unlock(&mutex);
#endif
}

static void wait_until_ready(void)
{
#ifdef REPAIRED
    sem_wait(&semaphore);
#else
    pthread_mutex_lock(&mutex); // fails here
#endif
}

static void *prepare(void *unused)
{
    (void)unused;
    value = 5;
    signal_ready();
    return NULL;
}

static void *consume(void *unused)
{
    (void)unused;
    wait_until_ready();
    seen = value;
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &kind);
    pthread_mutex_lock(&mutex);
    sem_init(&semaphore, 0, 0);
    pthread_t a, b;
    pthread_create(&a, NULL, consume, NULL);
    pthread_create(&b, NULL, prepare, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen != 5;
}
