// A reader that finds something missing asks for the write lock without giving back its read lock.
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int known = 3, other;

static int look_up(int key)
{
    pthread_rwlock_rdlock(&lock);
    if (known != key) {
#ifdef REPAIRED
        pthread_rwlock_unlock(&lock);
#endif
        pthread_rwlock_wrlock(&lock); // fails here
        known = key;
    }
    int found = known;
    pthread_rwlock_unlock(&lock);
    return found;
}

static void *read_other(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    other = known;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    unsigned char key;
    if (read(0, &key, 1) != 1)
        return 1;
    pthread_t t;
    pthread_create(&t, NULL, read_other, NULL);
    int found = look_up(key);
    pthread_join(t, NULL);
    return found != key;
}
