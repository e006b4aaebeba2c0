//: holds = "found"
//: kind = "assertion"
//: complete = true
//: cflags = "-pthread"
// Two threads change which rights new files do not get.
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>

static void *one(void *nothing)
{
    umask(077);
    return nothing;
}

static void *other(void *nothing)
{
    assert(umask(022) == 077); // fails here
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
