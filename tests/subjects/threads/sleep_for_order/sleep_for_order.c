// A sleep in the place of synchronisation: the other should be ready by then, and need not be.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int port;
static sem_t ready;

static void *serve(void *unused)
{
    (void)unused;
    usleep(100);
    atomic_store(&port, 80);
    sem_post(&ready);
    return NULL;
}

int main(void)
{
    sem_init(&ready, 0, 0);
    pthread_t t;
    pthread_create(&t, NULL, serve, NULL);
#ifdef REPAIRED
    sem_wait(&ready);
#else
    usleep(2000);
#endif
    int seen = atomic_load(&port);
    assert(seen == 80); // fails here
    pthread_join(t, NULL);
    return 0;
}
