// memcached 127: `incr` finds the item under the lock of the cache and changes it after it has given
// that lock back: of two at once, one is lost.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;
static long item;

static long item_get(void)
{
    pthread_mutex_lock(&cache_lock);
    long value = item;
    pthread_mutex_unlock(&cache_lock);
    return value;
}

static void item_replace(long value)
{
    pthread_mutex_lock(&cache_lock);
    item = value;
    pthread_mutex_unlock(&cache_lock);
}

static void *incr(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    pthread_mutex_lock(&cache_lock);
    item++;
    pthread_mutex_unlock(&cache_lock);
#else
    item_replace(item_get() + 1);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, incr, NULL);
    pthread_create(&b, NULL, incr, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(item_get() == 2); // fails here
    return 0;
}
