//: holds = "found"
//: kind = "assertion"
//: complete = true
//: cflags = "-pthread"
// A thread reads a signal from a descriptor that another thread sends.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int descriptor;
static atomic_int got;

static void *receive(void *nothing)
{
    struct signalfd_siginfo info;
    if (read(descriptor, &info, sizeof info) == sizeof info)
        got = (int)info.ssi_signo;
    return nothing;
}

static void *sends(void *nothing)
{
    kill(getpid(), SIGUSR1);
    assert(got != SIGUSR1); // fails here
    return nothing;
}

int main(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    descriptor = signalfd(-1, &signals, 0);
    pthread_t both[2];
    pthread_create(&both[0], NULL, receive, NULL);
    pthread_create(&both[1], NULL, sends, NULL);
    pthread_join(both[0], NULL);
    pthread_join(both[1], NULL);
    return 0;
}
