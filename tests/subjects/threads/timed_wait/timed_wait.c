// pthread_cond_timedwait may run out of time: the answer is taken to be there all the same.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static int answer;

static void *reply(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    answer = 42;
    pthread_cond_signal(&answered);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reply, NULL);
    struct timespec until = {.tv_sec = time(NULL) + 2};
    int error = 0;
    pthread_mutex_lock(&lock);
    while (answer == 0 && error == 0)
        error = pthread_cond_timedwait(&answered, &lock, &until);
#ifdef REPAIRED
    if (answer != 0)
        assert(answer == 42);
#else
    assert(answer == 42); // fails here
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
