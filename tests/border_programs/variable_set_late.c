//: holds = "found"
//: kind = "assertion"
//: complete = true
//: cflags = "-pthread"
// A thread asks for a variable of the environment that another one sets.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *one(void *nothing)
{
    setenv("ELSEWHERE", "1", 1);
    return nothing;
}

static void *other(void *nothing)
{
    assert(getenv("ELSEWHERE")); // fails here
    return nothing;
}

int main(void)
{
    pthread_t both[2];
    pthread_create(&both[0], NULL, one, NULL);
    pthread_create(&both[1], NULL, other, NULL);
    pthread_join(both[0], NULL);
    pthread_join(both[1], NULL);
    return 0;
}
