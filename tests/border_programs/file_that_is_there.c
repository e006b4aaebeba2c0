//: holds = "found"
//: kind = "assertion"
//: complete = true
//: cflags = "-pthread"
// Two threads make the same file, and one of them finds it there.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>

static void *one(void *nothing)
{
    open("same", O_CREAT | O_EXCL | O_WRONLY, 0600);
    return nothing;
}

static void *other(void *nothing)
{
    assert(open("same", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0); // fails here
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
