//: holds = "found"
//: kind = "deadlock"
//: complete = true
//: cflags = "-pthread"
// A thread is cancelled where it opens a file, and keeps its lock.
#include <fcntl.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *nothing)
{
    pthread_mutex_lock(&mutex);
    open("/dev/null", O_RDONLY);
    pthread_mutex_unlock(&mutex);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&mutex); // fails here
    return 0;
}
