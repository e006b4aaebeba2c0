// Two threads each have a bit-field of their own, and both are in one place of memory.
#include <pthread.h>
#include <stddef.h>

static struct {
    unsigned seen : 4;
#ifdef REPAIRED
    unsigned : 0;
#endif
    unsigned done : 4;
} flags;

static void *see(void *unused)
{
    (void)unused;
    flags.seen = 1; // fails here
    return NULL;
}

static void *finish(void *unused)
{
    (void)unused;
    flags.done = 1; // or here
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, see, NULL);
    pthread_create(&b, NULL, finish, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return flags.seen + flags.done > 2;
}
