// Sleep and clock belong together: a sleep of half the time, once, is not enough for what is due.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int rang;

static long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *ring_later(void *arg)
{
    long due = *(long *)arg;
#ifdef REPAIRED
    while (milliseconds() < due)
        usleep(2000);
#else
    if (milliseconds() < due)
        usleep(1000);
#endif
    atomic_store(&rang, milliseconds() >= due ? 1 : 2);
    return NULL;
}

int main(void)
{
    long due = milliseconds() + 20;
    pthread_t t;
    pthread_create(&t, NULL, ring_later, &due);
    pthread_join(t, NULL);
    assert(atomic_load(&rang) == 1); // fails here
    return 0;
}
