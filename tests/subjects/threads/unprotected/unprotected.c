// The plain data race: one thread writes what another reads, with nothing between them.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int temperature = 20;

static void *measure(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    temperature = 21; // or here
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, measure, NULL);
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
#endif
    int seen = temperature; // fails here
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(t, NULL);
    return seen < 20;
}
