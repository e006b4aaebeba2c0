// A thread ends and leaves standard output locked: whoever prints later waits for good.
#include <pthread.h>
#include <stdio.h>

static void *leaves(void *unused)
{
    flockfile(stdout);
    putchar_unlocked('x');
#ifdef REPAIRED
    funlockfile(stdout);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, leaves, NULL);
    pthread_join(thread, NULL);
    puts("done"); // fails here
    return 0;
}
