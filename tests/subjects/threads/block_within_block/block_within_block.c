// Each step is an atomic block of its own and holds the lock throughout; the whole, which is to be
// atomic as well, gives it back in between.
#include <elsewise.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int from = 10, to;

static void move(int *account, int amount)
{
    elsewise_atomic_begin();
    pthread_mutex_lock(&lock);
    *account += amount; // fails here
    pthread_mutex_unlock(&lock);
    elsewise_atomic_end();
}

static void *transfer(void *unused)
{
    (void)unused;
    elsewise_atomic_begin();
#ifdef REPAIRED
    pthread_mutex_lock(&lock);
#endif
    move(&from, -1);
    move(&to, 1);
#ifdef REPAIRED
    pthread_mutex_unlock(&lock);
#endif
    elsewise_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_create(&t, NULL, transfer, NULL);
    pthread_mutex_lock(&lock);
    int sum = from + to;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return sum > 10;
}
