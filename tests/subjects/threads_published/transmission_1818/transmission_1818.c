// Transmission 1818: the thread of events is started before the session has its bandwidth, which that
// thread takes for granted.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define MAGIC 43143

struct bandwidth {
    int magic;
};

static struct {
    struct bandwidth *bandwidth;
} session;

static void bandwidth_allocate(struct bandwidth *b)
{
    assert(b && b->magic == MAGIC); // fails here
}

static void *events(void *unused)
{
    (void)unused;
    bandwidth_allocate(session.bandwidth); // or here
    return NULL;
}

static void bandwidth_init(void)
{
    struct bandwidth *new = malloc(sizeof *new);
    if (!new)
        exit(1);
    new->magic = MAGIC;
    session.bandwidth = new; // or here
}

int main(void)
{
    pthread_t thread;
#ifdef REPAIRED
    bandwidth_init();
    pthread_create(&thread, NULL, events, NULL);
#else
    pthread_create(&thread, NULL, events, NULL);
    bandwidth_init();
#endif
    pthread_join(thread, NULL);
    free(session.bandwidth);
    return 0;
}
