//: holds = "found"
//: kind = "assertion"
//: complete = true
//: cflags = "-pthread"
// Who asks for a random number first gets the first.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int number;

static void *one(void *nothing)
{
    rand();
    return nothing;
}

static void *other(void *nothing)
{
    assert(rand() != number); // fails here
    return nothing;
}

int main(void)
{
    srand(7);
    number = rand();
    srand(7);
    pthread_t both[2];
    pthread_create(&both[0], NULL, one, NULL);
    pthread_create(&both[1], NULL, other, NULL);
    pthread_join(both[0], NULL);
    pthread_join(both[1], NULL);
    return 0;
}
