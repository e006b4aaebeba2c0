//: holds = "honest"
//: kind = "assertion"
//: witness = ""
//: cflags = "-pthread"
// Threads are started by a child, whose status the parent looks at.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int sum;

static void *add(void *nothing)
{
    int now = sum;
    usleep(20000);
    sum = now + 1;
    return nothing;
}

int main(void)
{
    pid_t child = fork();
    if (child == 0) {
        pthread_t both[2];
        for (int i = 0; i < 2; i++)
            pthread_create(&both[i], NULL, add, NULL);
        for (int i = 0; i < 2; i++)
            pthread_join(both[i], NULL);
        _exit(sum != 2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert(status == 0); // fails here
    return 0;
}
