// A process is asked for while there are two threads. That fails here, as it may anywhere, and whoever
// takes it for granted does not.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
#ifndef REPAIRED
    assert(child > 0); // fails here
#endif
    pthread_join(t, NULL);
    if (child > 0)
        waitpid(child, NULL, 0);
    return 0;
}
