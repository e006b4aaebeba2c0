// A recursive mutex is given back once less than it was taken, on a way that needs an input.
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock;
static int entries;

static void add(int n)
{
    pthread_mutex_lock(&lock);
    if (n > 100) {
#ifdef REPAIRED
        pthread_mutex_unlock(&lock);
#endif
        return;
    }
    entries++;
    pthread_mutex_unlock(&lock);
}

static void *count(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock); // fails here
    entries++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    unsigned char n;
    if (read(0, &n, 1) != 1)
        return 1;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_t t;
    pthread_create(&t, NULL, count, NULL);
    pthread_mutex_lock(&lock);
    add(n);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
