// The remote agent of a spacecraft: a task looks whether an event has come and then waits for it,
// without a lock over both; two tasks that wait for each other's events can sleep for ever.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct event {
    pthread_mutex_t lock;
    pthread_cond_t happened;
    atomic_int count;
};

#define EVENT {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0}
static struct event first = EVENT, second = EVENT;

static void signal_event(struct event *event)
{
    pthread_mutex_lock(&event->lock);
    atomic_fetch_add(&event->count, 1);
    pthread_cond_broadcast(&event->happened);
    pthread_mutex_unlock(&event->lock);
}

static void wait_for_event(struct event *event)
{
    pthread_mutex_lock(&event->lock);
#ifdef REPAIRED
    while (atomic_load(&event->count) == 0)
        pthread_cond_wait(&event->happened, &event->lock);
#else
    do
        pthread_cond_wait(&event->happened, &event->lock); // fails here
    while (atomic_load(&event->count) == 0);
#endif
    pthread_mutex_unlock(&event->lock);
}

static void *plan(void *unused)
{
    (void)unused;
    if (atomic_load(&first.count) == 0)
        wait_for_event(&first);
    signal_event(&second);
    return NULL;
}

static void *execute(void *unused)
{
    (void)unused;
    signal_event(&first);
    if (atomic_load(&second.count) == 0)
        wait_for_event(&second);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, plan, NULL);
    pthread_create(&b, NULL, execute, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
