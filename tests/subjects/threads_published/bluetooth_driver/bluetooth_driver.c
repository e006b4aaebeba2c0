// The Bluetooth driver of Windows as Qadeer and Wu tell it: a request looks whether the driver is being
// stopped before it counts itself in, so that the driver may stop with the request inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stopping_event = PTHREAD_COND_INITIALIZER;
static atomic_int stopping_flag, stopped;
static int pending_io = 1;

static void decrement_io(void)
{
    pthread_mutex_lock(&mutex);
    if (--pending_io == 0)
        pthread_cond_signal(&stopping_event);
    pthread_mutex_unlock(&mutex);
}

static int increment_io(void)
{
#ifdef REPAIRED
    pthread_mutex_lock(&mutex);
    pending_io++;
    pthread_mutex_unlock(&mutex);
    if (stopping_flag) {
        decrement_io();
        return -1;
    }
#else
    if (stopping_flag)
        return -1;
    pthread_mutex_lock(&mutex);
    pending_io++;
    pthread_mutex_unlock(&mutex);
#endif
    return 0;
}

static void *request(void *unused)
{
    (void)unused;
    if (increment_io() == 0) {
        assert(!stopped); // fails here
        decrement_io();
    }
    return NULL;
}

static void *stop(void *unused)
{
    (void)unused;
    stopping_flag = 1;
    decrement_io();
    pthread_mutex_lock(&mutex);
    while (pending_io > 0)
        pthread_cond_wait(&stopping_event, &mutex);
    pthread_mutex_unlock(&mutex);
    stopped = 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, request, NULL);
    pthread_create(&b, NULL, stop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
