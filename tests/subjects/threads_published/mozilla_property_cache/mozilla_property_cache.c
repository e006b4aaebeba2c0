// Mozilla's JavaScript engine: the property cache and the flag that says whether it is empty belong
// together, but a flush and a fill change them by two steps each.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int entry, empty;
} cache = {0, 1};

static void set(int *what, int value)
{
    pthread_mutex_lock(&mutex);
    *what = value;
    pthread_mutex_unlock(&mutex);
}

static void change(int entry)
{
#ifdef REPAIRED
    pthread_mutex_lock(&mutex);
    cache.entry = entry;
    cache.empty = !entry;
    pthread_mutex_unlock(&mutex);
#else
    set(&cache.entry, entry);
    set(&cache.empty, !entry);
#endif
}

static void *fill(void *unused)
{
    (void)unused;
    change(7);
    return NULL;
}

static void *flush(void *unused)
{
    (void)unused;
    change(0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    set(&cache.empty, 1);
    pthread_create(&a, NULL, fill, NULL);
    pthread_create(&b, NULL, flush, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!cache.empty || !cache.entry); // fails here
    return 0;
}
