// A reader waits for as many bytes as there are workers; one that has nothing to do says nothing.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static atomic_int left = 1;

static void *work(void *unused)
{
    (void)unused;
    int mine = atomic_exchange(&left, 0);
#ifdef REPAIRED
    (void)mine;
#else
    if (!mine)
        return NULL;
#endif
    if (write(ends[1], "x", 1) != 1)
        _exit(1);
    return NULL;
}

int main(void)
{
    if (pipe(ends) != 0)
        return 1;
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++) {
        char c;
        if (read(ends[0], &c, 1) != 1) // fails here
            return 1;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
