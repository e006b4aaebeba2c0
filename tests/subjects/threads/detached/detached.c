// Detaching: nobody waits for a detached thread, and what it reads may have been given back.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static int *settings;
static int copy;

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    copy = *settings; // fails here
    pthread_mutex_unlock(&lock);
    sem_post(&done);
    return NULL;
}

int main(void)
{
    sem_init(&done, 0, 0);
    settings = malloc(sizeof *settings);
    if (!settings)
        return 1;
    *settings = 7;
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
#ifdef REPAIRED
    sem_wait(&done);
#endif
    pthread_mutex_lock(&lock);
    free(settings);
    pthread_mutex_unlock(&lock);
#ifndef REPAIRED
    sem_wait(&done);
#endif
    return copy != 7;
}
