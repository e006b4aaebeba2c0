// A child that is started before the threads speaks to one of them: what it says may come before what
// the other thread does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];
static atomic_int ready;

static void *listen(void *unused)
{
    (void)unused;
    char c;
    if (read(ends[0], &c, 1) != 1)
        return NULL;
#ifndef REPAIRED
    assert(atomic_load(&ready)); // fails here
#endif
    return NULL;
}

int main(void)
{
    if (pipe(ends) != 0)
        return 1;
    pid_t child = fork();
    if (child == 0) {
        ssize_t n = write(ends[1], "x", 1);
        _exit(n != 1);
    }
    pthread_t t;
    pthread_create(&t, NULL, listen, NULL);
    atomic_store(&ready, 1);
    pthread_join(t, NULL);
    waitpid(child, NULL, 0);
    return 0;
}
