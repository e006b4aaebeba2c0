// A wait may end although nobody has signalled: `if` where `while` is needed.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *take(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
#ifdef REPAIRED
    while (items == 0)
#else
    if (items == 0)
#endif
        pthread_cond_wait(&filled, &lock);
    assert(items == 1); // fails here
    items--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, take, NULL);
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
