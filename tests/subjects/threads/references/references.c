// Atomics: a count of references is taken down and then read again: two threads may see that it is
// zero.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int references;
    int *data;
};

static struct shared shared = {2, NULL};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *drop(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    int left = atomic_fetch_sub(&shared.references, 1) - 1;
#else
    atomic_fetch_sub(&shared.references, 1);
    int left = atomic_load(&shared.references);
#endif
    if (left == 0) {
        pthread_mutex_lock(&lock);
        free(shared.data); // fails here
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    shared.data = malloc(sizeof *shared.data);
    if (!shared.data)
        return 1;
    pthread_t a, b;
    pthread_create(&a, NULL, drop, NULL);
    pthread_create(&b, NULL, drop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
