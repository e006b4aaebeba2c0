// A spinlock is not given back on the way out that refuses.
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static pthread_spinlock_t lock;
static int level = 10;

static int raise(int by)
{
    pthread_spin_lock(&lock); // fails here
    if (by > 50) {
#ifdef REPAIRED
        pthread_spin_unlock(&lock);
#endif
        return -1;
    }
    level += by;
    pthread_spin_unlock(&lock);
    return 0;
}

static void *raise_by_one(void *unused)
{
    (void)unused;
    raise(1);
    return NULL;
}

int main(void)
{
    unsigned char by;
    if (read(0, &by, 1) != 1)
        return 1;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_t t;
    pthread_create(&t, NULL, raise_by_one, NULL);
    raise(by);
    pthread_join(t, NULL);
    return 0;
}
