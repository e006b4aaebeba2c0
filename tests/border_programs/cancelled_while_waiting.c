//: holds = "clean"
//: complete = true
//: cflags = "-pthread"
// A thread that waits for what never comes ends when it is cancelled, whatever it waits by.
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_t first;
static int ends[2];

static void unlock(void *nothing)
{
    (void)nothing;
    pthread_mutex_unlock(&mutex);
}

static void *wait_by(void *way)
{
    sigset_t signals;
    int signal;
    char byte;
    sigfillset(&signals);
    switch (*(char *)way) {
    case 'c':
        pthread_mutex_lock(&mutex);
        pthread_cleanup_push(unlock, NULL);
        pthread_cond_wait(&condition, &mutex);
        pthread_cleanup_pop(1);
        break;
    case 's':
        sem_wait(&semaphore);
        break;
    case 'r':
        return (void *)read(ends[0], &byte, 1);
    case 'p':
        poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, -1);
        break;
    case 'w':
        sigwait(&signals, &signal);
        break;
    case 'u':
        pause();
        break;
    case 'j':
        pthread_join(first, NULL);
        break;
    }
    return NULL;
}

int main(void)
{
    first = pthread_self();
    sem_init(&semaphore, 0, 0);
    if (pipe(ends) != 0)
        return 1;
    for (const char *way = "csrpwuj"; *way; way++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, wait_by, (void *)way);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED)
            abort();
    }
    return 0;
}
