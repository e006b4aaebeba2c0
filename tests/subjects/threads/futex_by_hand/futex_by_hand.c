// A lock made of a word and the system's calls: who gives it back does not wake who waits.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int work;

static void lock(void)
{
    while (atomic_exchange(&word, 1))
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0); // fails here
}

static void unlock(void)
{
    atomic_store(&word, 0);
#ifdef REPAIRED
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#endif
}

static void *run(void *unused)
{
    (void)unused;
    lock();
    work++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    run(NULL);
    pthread_join(t, NULL);
    return work != 2;
}
