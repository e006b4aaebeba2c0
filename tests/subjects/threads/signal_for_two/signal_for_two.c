// Two threads wait for the same thing, and pthread_cond_signal wakes one of them.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open;

static void *enter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!is_open)
        pthread_cond_wait(&opened, &lock); // fails here
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_mutex_lock(&lock);
    is_open = 1;
#ifdef REPAIRED
    pthread_cond_broadcast(&opened);
#else
    pthread_cond_signal(&opened);
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
