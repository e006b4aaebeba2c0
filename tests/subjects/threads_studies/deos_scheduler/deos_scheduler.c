// Time partitions as in the DEOS kernel: in every period a process has a budget, which its threads
// share. A thread that is deleted gives its budget back to the process's main thread; at once, so
// that what it has used in this period can be used again. It is due at the next period.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#define BUDGET 4

enum { MAIN, CHILD, THREADS };

static pthread_mutex_t kernel = PTHREAD_MUTEX_INITIALIZER;
static int budget[THREADS] = {2, 2}; // of each period
static int left[THREADS] = {2, 2};   // of this period
static int used;                     // by the process, in this period
static unsigned char wanted[THREADS];

// A thread runs for as long as it wants to, or until its time is over.
static void run(int thread)
{
    pthread_mutex_lock(&kernel);
    int time = wanted[thread] < left[thread] ? wanted[thread] : left[thread];
    left[thread] -= time;
    used += time;
    assert(used <= BUDGET); // fails here
    pthread_mutex_unlock(&kernel);
}

static void delete_child(void)
{
    pthread_mutex_lock(&kernel);
    budget[MAIN] += budget[CHILD];
#ifndef REPAIRED
    left[MAIN] += budget[CHILD];
#endif
    budget[CHILD] = 0;
    left[CHILD] = 0;
    pthread_mutex_unlock(&kernel);
}

static void *child(void *unused)
{
    (void)unused;
    run(CHILD);
    delete_child();
    return NULL;
}

static void *main_thread(void *unused)
{
    (void)unused;
    run(MAIN);
    return NULL;
}

static void *next_period(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&kernel);
    used = 0;
    for (int i = 0; i < THREADS; i++)
        left[i] = budget[i];
    pthread_mutex_unlock(&kernel);
    return NULL;
}

int main(void)
{
    if (read(0, wanted, sizeof wanted) != (ssize_t)sizeof wanted)
        return 1;
    void *(*const threads[])(void *) = {child, main_thread, next_period};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, threads[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
