//: holds = "found"
//: kind = "assertion"
//: complete = true
//: cflags = "-pthread"
// A descriptor is closed and its number given to another file.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int first;

static void *one(void *nothing)
{
    close(first);
    return nothing;
}

static void *other(void *nothing)
{
    assert(open("/dev/null", O_RDONLY) != first); // fails here
    return nothing;
}

int main(void)
{
    first = open("/dev/null", O_RDONLY);
    pthread_t both[2];
    pthread_create(&both[0], NULL, one, NULL);
    pthread_create(&both[1], NULL, other, NULL);
    pthread_join(both[0], NULL);
    pthread_join(both[1], NULL);
    return 0;
}
