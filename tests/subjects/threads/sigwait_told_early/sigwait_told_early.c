// A thread that waits for a signal is sent it before what it needs is there.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int value;
static sigset_t wanted;

static void *wait_and_look(void *unused)
{
    (void)unused;
    int number = 0;
    sigwait(&wanted, &number);
    assert(number == SIGTERM);
    int seen = atomic_load(&value);
    assert(seen == 6); // fails here
    return NULL;
}

int main(void)
{
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &wanted, NULL);
    pthread_t t;
    pthread_create(&t, NULL, wait_and_look, NULL);
#ifdef REPAIRED
    atomic_store(&value, 6);
    kill(getpid(), SIGTERM);
#else
    kill(getpid(), SIGTERM);
    atomic_store(&value, 6);
#endif
    pthread_join(t, NULL);
    return 0;
}
