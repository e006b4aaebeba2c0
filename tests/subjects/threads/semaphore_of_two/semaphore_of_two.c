// A semaphore that should let one thread in begins with two.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t door;
static atomic_int visits;

static void *visit(void *unused)
{
    (void)unused;
    sem_wait(&door);
    int n = atomic_load(&visits);
    atomic_store(&visits, n + 1);
    sem_post(&door);
    return NULL;
}

int main(void)
{
#ifdef REPAIRED
    sem_init(&door, 0, 1);
#else
    sem_init(&door, 0, 2);
#endif
    pthread_t a, b;
    pthread_create(&a, NULL, visit, NULL);
    pthread_create(&b, NULL, visit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&visits) == 2); // fails here
    return 0;
}
