// Replicated workers and a pool of work: a task makes further ones, as many as the input says; a
// worker that finds the pool empty takes this for the end, though another is still at work.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int pool[4], tasks, active, finished, done;

// The size of a task, or -1 when there will be none.
static int take(void)
{
    pthread_mutex_lock(&lock);
#ifdef REPAIRED
    while (tasks == 0 && active > 0)
        pthread_cond_wait(&changed, &lock);
#endif
    int size = -1;
    if (tasks > 0) {
        size = pool[--tasks];
        active++;
    } else {
        finished = 1;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return size;
}

static void complete(int size)
{
    pthread_mutex_lock(&lock);
    done++;
    if (size > 0)
        pool[tasks++] = size - 1;
    active--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    (void)unused;
    int size;
    while ((size = take()) >= 0)
        complete(size);
    return NULL;
}

int main(void)
{
    unsigned char size;
    if (read(0, &size, 1) != 1 || size > 1)
        return 1;
    pool[tasks++] = size;
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!finished)
        pthread_cond_wait(&changed, &lock);
    assert(done == size + 1); // fails here
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
