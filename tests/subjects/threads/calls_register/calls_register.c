// Operations of a data structure: a number in two halves, of which one is read before it is changed and
// the other after.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int low, high;

static void set(int value)
{
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
#endif
    atomic_store(&low, value % 10); // or here
    atomic_store(&high, value / 10);
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
}

static int get(void)
{
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
#endif
    int value = atomic_load(&low); // fails here
    value += 10 * atomic_load(&high);
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
    return value;
}

static void *run(void *unused)
{
    (void)unused;
    set(34);
    return NULL;
}

int main(void)
{
    pthread_t t;
    set(12);
    pthread_create(&t, NULL, run, NULL);
    get();
    pthread_join(t, NULL);
    (void)lock;
    return 0;
}
