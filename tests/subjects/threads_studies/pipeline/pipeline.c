// A pipeline of stages joined by connectors of one place: what is added to a connector that is not
// empty yet writes over what was there, be it an item or the word to stop.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#define NOTHING (-1)
#define STOP 0

struct connector {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int item;
};

#define CONNECTOR {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NOTHING}
static struct connector first = CONNECTOR, second = CONNECTOR;

static void add(struct connector *to, int item)
{
    pthread_mutex_lock(&to->lock);
#ifdef REPAIRED
    while (to->item != NOTHING)
        pthread_cond_wait(&to->changed, &to->lock);
#endif
    to->item = item;
    pthread_cond_broadcast(&to->changed);
    pthread_mutex_unlock(&to->lock);
}

static int take(struct connector *from)
{
    pthread_mutex_lock(&from->lock);
    while (from->item == NOTHING)
        pthread_cond_wait(&from->changed, &from->lock);
    int item = from->item;
    from->item = NOTHING;
    pthread_cond_broadcast(&from->changed);
    pthread_mutex_unlock(&from->lock);
    return item;
}

static void *increase(void *unused)
{
    (void)unused;
    int item;
    while ((item = take(&first)) != STOP)
        add(&second, item + 1);
    add(&second, STOP);
    return NULL;
}

static void *collect(void *sum)
{
    int item;
    while ((item = take(&second)) != STOP)
        *(int *)sum += item;
    return NULL;
}

int main(void)
{
    unsigned char item;
    if (read(0, &item, 1) != 1)
        return 1;
    pthread_t stage, sink;
    int sum = 0;
    pthread_create(&stage, NULL, increase, NULL);
    pthread_create(&sink, NULL, collect, &sum);
    if (item != STOP)
        add(&first, item);
    add(&first, STOP);
    pthread_join(stage, NULL);
    pthread_join(sink, NULL);
    if (item != STOP)
        assert(sum == item + 1); // fails here
    return 0;
}
