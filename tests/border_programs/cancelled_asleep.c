//: holds = "found"
//: kind = "assertion"
//: complete = true
//: cflags = "-pthread"
// A thread is cancelled in the first time that it sleeps.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *sleeps(void *nothing)
{
    usleep(1);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, sleeps, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result != PTHREAD_CANCELED); // fails here
    return 0;
}
