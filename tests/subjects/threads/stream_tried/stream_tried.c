// `ftrylockfile` of a stream that another thread keeps.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int said;

static void *says(void *unused)
{
    (void)unused;
    if (ftrylockfile(stdout) == 0) {
        said = 1;
        funlockfile(stdout);
    }
#ifdef REPAIRED
    else {
        flockfile(stdout);
        said = 1;
        funlockfile(stdout);
    }
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    flockfile(stdout);
    pthread_create(&thread, NULL, says, NULL);
    // It is this thread's own, so that it may print.
    puts("ready");
    funlockfile(stdout);
    pthread_join(thread, NULL);
    assert(said); // fails here
    return 0;
}
