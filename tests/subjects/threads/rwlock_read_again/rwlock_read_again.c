// Where writers go first, a reader that reads again waits for the writer that waits for it.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock;
static int width = 2, height = 3;

static int get_width(void)
{
    pthread_rwlock_rdlock(&lock); // fails here
    int n = width;
    pthread_rwlock_unlock(&lock);
    return n;
}

static void *area(void *result)
{
#ifdef REPAIRED
    int w = get_width();
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_rdlock(&lock);
    int w = get_width();
#endif
    *(int *)result = w * height;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_rwlockattr_t kind;
    pthread_rwlockattr_init(&kind);
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &kind);
    pthread_t t;
    int result;
    pthread_create(&t, NULL, area, &result);
    pthread_rwlock_wrlock(&lock); // or here
    width = 4;
    pthread_rwlock_unlock(&lock);
    pthread_join(t, NULL);
    return result == 0;
}
