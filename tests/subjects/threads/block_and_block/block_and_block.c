// Two atomic blocks of which neither comes first: each has looked at what the other then changes. Each
// alone could be taken for whole.
#include <elsewise.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int doctors[2] = {1, 1};

static void *leave(void *number)
{
    int me = number != NULL;
    elsewise_atomic_begin();
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
#endif
    if (atomic_load(&doctors[!me])) // fails here
        atomic_store(&doctors[me], 0);
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
    elsewise_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, leave, NULL);
    pthread_create(&b, NULL, leave, &lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
