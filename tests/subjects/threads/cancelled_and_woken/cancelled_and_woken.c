// pthread_cancel: a thread that has been woken, and waits for the mutex only, goes on although it was
// cancelled meanwhile.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, waits, cancelled, went_on;

static void give_back(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    waits = 1;
    pthread_cleanup_push(give_back, NULL);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    went_on = cancelled;
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    if (waits) {
        ready = 1;
        pthread_cond_signal(&changed);
        pthread_cancel(t);
        cancelled = 1;
    }
    ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
#ifndef REPAIRED
    assert(!went_on); // fails here
#endif
    return 0;
}
