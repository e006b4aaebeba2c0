// MySQL 791: who changes to a new log closes the old one for a moment; a statement that comes then sees
// no log open, and is written nowhere.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock_log = PTHREAD_MUTEX_INITIALIZER;
static atomic_int log_open = 1;
static int events;

static void *new_file(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock_log);
    log_open = 0;
    log_open = 1;
    pthread_mutex_unlock(&lock_log);
    return NULL;
}

static void *write_event(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    pthread_mutex_lock(&lock_log);
    if (log_open)
        events++;
    pthread_mutex_unlock(&lock_log);
#else
    if (log_open) {
        pthread_mutex_lock(&lock_log);
        events++;
        pthread_mutex_unlock(&lock_log);
    }
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, new_file, NULL);
    pthread_create(&b, NULL, write_event, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(events == 1); // fails here
    return 0;
}
