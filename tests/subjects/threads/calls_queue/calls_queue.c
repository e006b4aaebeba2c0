// Operations of a data structure: a queue with a lock at each end. That there is something in it is
// said before it is there.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t at_head = PTHREAD_MUTEX_INITIALIZER, at_tail = PTHREAD_MUTEX_INITIALIZER;
static atomic_int slots[4], tail;
static int head;

static void put(int element)
{
    pthread_mutex_lock(&at_tail); // or here
    int at = atomic_load(&tail);
#ifdef REPAIRED
    atomic_store(&slots[at], element);
    atomic_store(&tail, at + 1);
#else
    atomic_store(&tail, at + 1);
    atomic_store(&slots[at], element);
#endif
    pthread_mutex_unlock(&at_tail);
}

static int take(void)
{
    int element = -1;
    pthread_mutex_lock(&at_head); // fails here
    if (head < atomic_load(&tail))
        element = atomic_load(&slots[head++]);
    pthread_mutex_unlock(&at_head);
    return element;
}

static void *run(void *unused)
{
    (void)unused;
    put(7);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    take();
    take();
    pthread_join(t, NULL);
    return 0;
}
