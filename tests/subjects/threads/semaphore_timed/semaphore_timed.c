// sem_timedwait may run out of time: two are in the room for one.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t room;
static atomic_int inside;

static void *enter(void *unused)
{
    (void)unused;
    struct timespec until = {.tv_sec = time(NULL) + 2};
    int error = sem_timedwait(&room, &until);
#ifdef REPAIRED
    if (error != 0)
        return NULL;
#endif
    int before = atomic_fetch_add(&inside, 1);
    assert(before == 0); // fails here
    atomic_fetch_sub(&inside, 1);
    if (error == 0)
        sem_post(&room);
    return NULL;
}

int main(void)
{
    sem_init(&room, 0, 1);
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
