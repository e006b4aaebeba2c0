// A bounded buffer made of semaphores inside of a monitor: who waits for an item inside keeps the
// monitor closed to who would bring it.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t monitor = PTHREAD_MUTEX_INITIALIZER;
static sem_t full, empty;
static int slot;

static void put(int item)
{
#ifdef REPAIRED
    sem_wait(&empty);
    pthread_mutex_lock(&monitor);
#else
    pthread_mutex_lock(&monitor); // or here
    sem_wait(&empty);
#endif
    slot = item;
    pthread_mutex_unlock(&monitor);
    sem_post(&full);
}

static int get(void)
{
#ifdef REPAIRED
    sem_wait(&full);
    pthread_mutex_lock(&monitor);
#else
    pthread_mutex_lock(&monitor);
    sem_wait(&full); // fails here
#endif
    int item = slot;
    pthread_mutex_unlock(&monitor);
    sem_post(&empty);
    return item;
}

static void *produce(void *unused)
{
    (void)unused;
    put(5);
    return NULL;
}

static void *consume(void *got)
{
    *(int *)got = get();
    return NULL;
}

int main(void)
{
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_t producer, consumer;
    int got;
    pthread_create(&consumer, NULL, consume, &got);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_join(consumer, NULL);
    pthread_join(producer, NULL);
    return got != 5;
}
