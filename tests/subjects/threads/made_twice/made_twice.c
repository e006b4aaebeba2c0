// pthread_once: a flag of one's own, looked at and then set, lets two threads make the same thing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int made;

static void make(void)
{
    atomic_fetch_add(&made, 1);
}

#ifdef REPAIRED
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_once(void)
{
    pthread_once(&once, make);
}
#else
static atomic_int is_made;

static void make_once(void)
{
    if (!atomic_load(&is_made)) {
        atomic_store(&is_made, 1);
        make();
    }
}
#endif

static void *use(void *unused)
{
    (void)unused;
    make_once();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&made) == 1); // fails here
    return 0;
}
