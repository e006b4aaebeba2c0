// Who waits for a pipe for a while only must not take it that something came.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/select.h>
#include <unistd.h>

static int ends[2];

static void *speak(void *unused)
{
    (void)unused;
    if (write(ends[1], "x", 1) != 1)
        _exit(1);
    return NULL;
}

int main(void)
{
    if (pipe(ends) != 0)
        return 1;
    pthread_t t;
    pthread_create(&t, NULL, speak, NULL);
    fd_set wanted;
    FD_ZERO(&wanted);
    FD_SET(ends[0], &wanted);
    struct timeval time = {.tv_sec = 1};
    int count = select(ends[0] + 1, &wanted, NULL, NULL, &time);
#ifdef REPAIRED
    if (count == 0)
        count = 1;
#endif
    assert(count == 1); // fails here
    pthread_join(t, NULL);
    return 0;
}
