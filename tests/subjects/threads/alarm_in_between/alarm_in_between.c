// The handler of a timer finds a pair that is being changed.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile int low, high;

static void handle(int number)
{
    (void)number;
    int a = low, b = high;
    assert(a == b); // fails here
}

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGALRM, &action, NULL);
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    alarm(1);
#ifdef REPAIRED
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);
#endif
    low = 1;
    high = 1;
#ifdef REPAIRED
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
#endif
    alarm(0);
    pthread_join(t, NULL);
    return 0;
}
