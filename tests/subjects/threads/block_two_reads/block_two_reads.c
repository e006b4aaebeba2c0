// A block that is to be atomic: the two halves that it reads are of different moments.
#include <elsewise.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int left, right;

static void hold(void)
{
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
#endif
}

static void give_back(void)
{
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
}

static void *change(void *unused)
{
    (void)unused;
    hold();
    atomic_store(&left, 1);
    atomic_store(&right, 1);
    give_back();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    elsewise_atomic_begin();
    hold();
    int l = atomic_load(&left); // fails here
    int r = atomic_load(&right);
    give_back();
    elsewise_atomic_end();
    pthread_join(t, NULL);
    (void)lock;
    return l + r > 2;
}
