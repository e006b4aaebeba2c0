// JDK 1.4, StringBuffer.append(StringBuffer): the length of the other buffer is asked for, and then so
// many characters: each under its lock, but it may have become shorter in between.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct {
    pthread_mutex_t monitor;
    int count;
} other = {PTHREAD_MUTEX_INITIALIZER, 8};

static void *append(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&other.monitor);
    int length = other.count;
#ifndef REPAIRED
    pthread_mutex_unlock(&other.monitor);
    pthread_mutex_lock(&other.monitor);
#endif
    assert(length <= other.count); // fails here
    pthread_mutex_unlock(&other.monitor);
    return NULL;
}

static void *set_length(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&other.monitor);
    other.count = 0;
    pthread_mutex_unlock(&other.monitor);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, append, NULL);
    pthread_create(&b, NULL, set_length, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
