// C11 threads: cnd_signal is sent when the first of two parts is there, to one who waits for both.
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int parts;

static int deliver(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    parts++;
#ifdef REPAIRED
    cnd_signal(&changed);
#else
    if (parts == 1)
        cnd_signal(&changed);
#endif
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_t a, b;
    thrd_create(&a, deliver, NULL);
    thrd_create(&b, deliver, NULL);
    mtx_lock(&lock);
    while (parts < 2)
        cnd_wait(&changed, &lock); // fails here
    mtx_unlock(&lock);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
