//: holds = "clean"
//: complete = true
//: cflags = "-pthread"
// Two threads keep each other out by the lock of a file.
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static atomic_int inside;

static void *enter(void *nothing)
{
    int file = open("lock", O_CREAT | O_RDWR, 0600);
    flock(file, LOCK_EX);
    if (inside++ != 0)
        abort();
    inside--;
    flock(file, LOCK_UN);
    close(file);
    return nothing;
}

int main(void)
{
    pthread_t both[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&both[i], NULL, enter, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(both[i], NULL);
    return 0;
}
