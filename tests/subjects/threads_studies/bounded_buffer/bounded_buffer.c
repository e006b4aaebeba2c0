// The bounded buffer of the model checkers' case studies: producers and consumers wait on one
// condition, and a signal that is meant for one side can reach the other.
#include <pthread.h>
#include <stddef.h>

#define SIZE 1

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], head, tail, used;

static void wake(void)
{
#ifdef REPAIRED
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
}

static void put(int item)
{
    pthread_mutex_lock(&lock);
    while (used == SIZE)
        pthread_cond_wait(&changed, &lock); // fails here
    buffer[tail] = item;
    tail = (tail + 1) % SIZE;
    used++;
    wake();
    pthread_mutex_unlock(&lock);
}

static int get(void)
{
    pthread_mutex_lock(&lock);
    while (used == 0)
        pthread_cond_wait(&changed, &lock); // or here
    int item = buffer[head];
    head = (head + 1) % SIZE;
    used--;
    wake();
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *unused)
{
    (void)unused;
    put(1);
    put(2);
    return NULL;
}

static void *consume(void *got)
{
    *(int *)got = get();
    return NULL;
}

int main(void)
{
    pthread_t producer, consumer[2];
    int got[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&consumer[i], NULL, consume, &got[i]);
    pthread_create(&producer, NULL, produce, NULL);
    pthread_join(producer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(consumer[i], NULL);
    return got[0] + got[1] != 3;
}
