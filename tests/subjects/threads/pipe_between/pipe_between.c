// A system call that blocks: a thread reads from a pipe, and is told to go on before what it needs
// is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static atomic_int value;

static void *wait_and_look(void *unused)
{
    (void)unused;
    char c;
    if (read(ends[0], &c, 1) != 1)
        return NULL;
    int seen = atomic_load(&value);
    assert(seen == 6); // fails here
    return NULL;
}

static void tell(void)
{
    if (write(ends[1], "x", 1) != 1)
        _exit(1);
}

int main(void)
{
    if (pipe(ends) != 0)
        return 1;
    pthread_t t;
    pthread_create(&t, NULL, wait_and_look, NULL);
#ifdef REPAIRED
    atomic_store(&value, 6);
    tell();
#else
    tell();
    atomic_store(&value, 6);
#endif
    pthread_join(t, NULL);
    return 0;
}
