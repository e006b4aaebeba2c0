//: holds = "found"
//: kind = "assertion"
//: complete = true
//: cflags = "-pthread"
// A thread closes what another one writes to.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void *closes(void *nothing)
{
    close(file);
    return nothing;
}

int main(void)
{
    file = open("/dev/null", O_WRONLY);
    pthread_t thread;
    pthread_create(&thread, NULL, closes, NULL);
    ssize_t written = write(file, "x", 1);
    pthread_join(thread, NULL);
    assert(written == 1); // fails here
    return 0;
}
