// A framework of readers and writers, with counts of who is active and who waits: a writer is let
// in without looking whether somebody reads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int active_readers, active_writers, waiting_writers;
static atomic_int left, right;

static int may_read(void)
{
    return waiting_writers == 0 && active_writers == 0;
}

static int may_write(void)
{
#ifdef REPAIRED
    return active_readers == 0 && active_writers == 0;
#else
    return active_writers == 0;
#endif
}

static void before_read(void)
{
    pthread_mutex_lock(&lock);
    while (!may_read())
        pthread_cond_wait(&changed, &lock);
    active_readers++;
    pthread_mutex_unlock(&lock);
}

static void after_read(void)
{
    pthread_mutex_lock(&lock);
    active_readers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void before_write(void)
{
    pthread_mutex_lock(&lock);
    waiting_writers++;
    while (!may_write())
        pthread_cond_wait(&changed, &lock);
    waiting_writers--;
    active_writers++;
    pthread_mutex_unlock(&lock);
}

static void after_write(void)
{
    pthread_mutex_lock(&lock);
    active_writers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *write_both(void *unused)
{
    (void)unused;
    before_write();
    atomic_store(&left, 1);
    atomic_store(&right, 1);
    after_write();
    return NULL;
}

static void *read_both(void *unused)
{
    (void)unused;
    before_read();
    int l = atomic_load(&left), r = atomic_load(&right);
    after_read();
    assert(l == r); // fails here
    return NULL;
}

int main(void)
{
    pthread_t writer, reader;
    pthread_create(&reader, NULL, read_both, NULL);
    pthread_create(&writer, NULL, write_both, NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    return 0;
}
