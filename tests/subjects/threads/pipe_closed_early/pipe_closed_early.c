// A reader that reads to the end: the end may come before the other writer has spoken.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *speak(void *unused)
{
    (void)unused;
    ssize_t n = write(ends[1], "xy", 2);
    (void)n;
    return NULL;
}

int main(void)
{
    if (pipe(ends) != 0)
        return 1;
    pthread_t t;
    pthread_create(&t, NULL, speak, NULL);
#ifdef REPAIRED
    pthread_join(t, NULL);
    close(ends[1]);
#else
    close(ends[1]);
#endif
    char c[4];
    ssize_t n = read(ends[0], c, sizeof c);
    assert(n == 2); // fails here
#ifndef REPAIRED
    pthread_join(t, NULL);
#endif
    return 0;
}
