// aget: the threads that load a file count its bytes under a lock; who saves the state when the user
// interrupts reads the count without it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t bwritten_mutex = PTHREAD_MUTEX_INITIALIZER;
static long bwritten, saved;

static void *http_get(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&bwritten_mutex);
    bwritten += 512; // or here
    pthread_mutex_unlock(&bwritten_mutex);
    return NULL;
}

static void save_log(void)
{
#ifdef REPAIRED
    pthread_mutex_lock(&bwritten_mutex);
#endif
    saved = bwritten; // fails here
#ifdef REPAIRED
    pthread_mutex_unlock(&bwritten_mutex);
#endif
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, http_get, NULL);
    pthread_create(&b, NULL, http_get, NULL);
    save_log();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return saved > bwritten;
}
