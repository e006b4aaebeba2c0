// Sorting by threads that each look after two neighbours; how often is known, in which order is not
// unless they wait for each other.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#define SIZE 3

static unsigned char value[SIZE];
static pthread_mutex_t lock[SIZE] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER};

static void put_in_order(int i)
{
    pthread_mutex_lock(&lock[i]);
    pthread_mutex_lock(&lock[i + 1]);
    if (value[i] > value[i + 1]) {
        unsigned char other = value[i];
        value[i] = value[i + 1];
        value[i + 1] = other;
    }
    pthread_mutex_unlock(&lock[i + 1]);
    pthread_mutex_unlock(&lock[i]);
}

#ifdef REPAIRED
static pthread_barrier_t barrier;

static void *sort(void *arg)
{
    int i = (int)(intptr_t)arg;
    for (int round = 0; round < SIZE; round++) {
        if (round % 2 == i % 2)
            put_in_order(i);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}
#else
static void *sort(void *arg)
{
    int i = (int)(intptr_t)arg;
    for (int round = 0; round < SIZE - 1; round++)
        put_in_order(i);
    return NULL;
}
#endif

int main(void)
{
    if (read(0, value, sizeof value) != (ssize_t)sizeof value)
        return 1;
#ifdef REPAIRED
    pthread_barrier_init(&barrier, NULL, SIZE - 1);
#endif
    pthread_t t[SIZE - 1];
    for (int i = 0; i < SIZE - 1; i++)
        pthread_create(&t[i], NULL, sort, (void *)(intptr_t)i);
    for (int i = 0; i < SIZE - 1; i++)
        pthread_join(t[i], NULL);
    int sorted = value[0] <= value[1] && value[1] <= value[2];
    assert(sorted); // fails here
    return 0;
}
