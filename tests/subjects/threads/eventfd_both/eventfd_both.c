// A counter by which two threads say that they are ready: one look may see both, or one only.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ready;

static void *work(void *unused)
{
    (void)unused;
    uint64_t one = 1;
    if (write(ready, &one, sizeof one) != sizeof one)
        _exit(1);
    return NULL;
}

int main(void)
{
    ready = eventfd(0, 0);
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    uint64_t count = 0;
    if (read(ready, &count, sizeof count) != sizeof count)
        return 1;
#ifdef REPAIRED
    while (count < 2) {
        uint64_t more = 0;
        if (read(ready, &more, sizeof more) != sizeof more)
            return 1;
        count += more;
    }
#endif
    assert(count == 2); // fails here
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
