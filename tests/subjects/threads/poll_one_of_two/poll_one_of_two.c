// Who waits for either of two pipes takes it that the first to speak is the one that was started
// first.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2][2];

static void *speak(void *which)
{
    if (write(ends[which != NULL][1], "x", 1) != 1)
        _exit(1);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        if (pipe(ends[i]) != 0)
            return 1;
    pthread_t t[2];
    pthread_create(&t[0], NULL, speak, NULL);
    pthread_create(&t[1], NULL, speak, &ends);
    struct pollfd list[2] = {{.fd = ends[0][0], .events = POLLIN},
                             {.fd = ends[1][0], .events = POLLIN}};
    if (poll(list, 2, -1) < 1)
        return 1;
    int first = list[0].revents & POLLIN ? 0 : 1;
#ifndef REPAIRED
    assert(first == 0); // fails here
#endif
    char c;
    if (read(ends[first][0], &c, 1) != 1)
        return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
