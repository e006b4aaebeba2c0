// _Thread_local: a thread keeps a copy of the settings, and is not told when they change.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int limit = 5, version;

static int get_limit(void)
{
    static _Thread_local int copy, copy_of = -1;
    int now = atomic_load(&version);
#ifdef REPAIRED
    if (copy_of != now) {
#else
    if (copy_of < 0) {
#endif
        copy = atomic_load(&limit);
        copy_of = now;
    }
    return copy;
}

static void *work(void *unused)
{
    (void)unused;
    get_limit();
    if (atomic_load(&version) == 1) {
        int n = get_limit();
        assert(n == 6); // fails here
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&limit, 6);
    atomic_store(&version, 1);
    pthread_join(t, NULL);
    return get_limit() != 6;
}
