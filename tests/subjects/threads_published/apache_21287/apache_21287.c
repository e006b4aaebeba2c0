// Apache 21287 (mod_mem_cache): the count of references is taken down by an atomic, and then read again
// to see whether this was the last one; two threads may both see zero, and each cleans up.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct cache_object {
    atomic_uint refcount;
    char *body;
};

static struct cache_object *object;

static void cleanup_cache_object(struct cache_object *of)
{
    free(of->body); // fails here
}

static void *decrement_refcount(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    if (atomic_fetch_sub(&object->refcount, 1) == 1)
        cleanup_cache_object(object);
#else
    atomic_fetch_sub(&object->refcount, 1);
    if (!atomic_load(&object->refcount))
        cleanup_cache_object(object);
#endif
    return NULL;
}

int main(void)
{
    static struct cache_object one;
    object = &one;
    one.refcount = 2;
    one.body = malloc(16);
    if (!one.body)
        return 1;
    pthread_t a, b;
    pthread_create(&a, NULL, decrement_refcount, NULL);
    pthread_create(&b, NULL, decrement_refcount, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
