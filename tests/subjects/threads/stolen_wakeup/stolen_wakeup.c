// Between a signal and the end of the wait somebody else may take what was signalled: `if` where
// `while` is needed, without any spurious wake-up.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items, given;

static void take(int patient)
{
    pthread_mutex_lock(&lock);
#ifdef REPAIRED
    while (patient && items == 0 && given < 2)
#else
    if (patient && items == 0 && given < 2)
#endif
        pthread_cond_wait(&filled, &lock);
    if (patient && given < 2)
        assert(items > 0); // fails here
    if (items > 0)
        items--;
    pthread_mutex_unlock(&lock);
}

static void give(void)
{
    pthread_mutex_lock(&lock);
    items++;
    given++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static void *wait_and_take(void *unused)
{
    (void)unused;
    take(1);
    return NULL;
}

static void *take_at_once(void *unused)
{
    (void)unused;
    take(0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, wait_and_take, NULL);
    pthread_create(&b, NULL, take_at_once, NULL);
    give();
    pthread_join(b, NULL);
    give();
    pthread_join(a, NULL);
    return 0;
}
