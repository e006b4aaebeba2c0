// pthread_mutex_trylock does not wait: who does not look whether it succeeded is not alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int total;

static void *add(void *unused)
{
    (void)unused;
    int error = pthread_mutex_trylock(&lock);
#ifdef REPAIRED
    if (error != 0)
        error = pthread_mutex_lock(&lock);
#endif
    int n = atomic_load(&total);
    atomic_store(&total, n + 1);
    if (error == 0)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&total) == 2); // fails here
    return 0;
}
