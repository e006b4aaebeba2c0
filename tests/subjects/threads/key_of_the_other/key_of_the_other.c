// Keys: every thread has a value of its own; one global in its place belongs to whoever came last.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_key_t key;
static atomic_intptr_t shared;

static void set_name(intptr_t name)
{
#ifdef REPAIRED
    pthread_setspecific(key, (void *)name);
#else
    atomic_store(&shared, name);
#endif
}

static intptr_t get_name(void)
{
#ifdef REPAIRED
    return (intptr_t)pthread_getspecific(key);
#else
    return atomic_load(&shared);
#endif
}

static void *work(void *arg)
{
    intptr_t name = (intptr_t)arg;
    set_name(name);
    assert(get_name() == name); // fails here
    return NULL;
}

int main(void)
{
    pthread_key_create(&key, NULL);
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)(intptr_t)1);
    pthread_create(&b, NULL, work, (void *)(intptr_t)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return atomic_load(&shared) > 2;
}
