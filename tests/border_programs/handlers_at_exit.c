//: holds = "found"
//: complete = true
//: cflags = "-pthread"
// While the program does what is to be done at its end, threads run on.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int state;

static void first(void)
{
    atomic_store(&state, 1);
}

static void last(void)
{
    atomic_store(&state, 2);
}

static void *watch(void *nothing)
{
    if (atomic_load(&state) == 1)
        abort(); // fails here
    return nothing;
}

int main(void)
{
    atexit(last);
    atexit(first);
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    return 0;
}
