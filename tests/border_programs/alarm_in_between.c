//: holds = "honest"
//: kind = "assertion"
//: witness = ""
// A timer's signal may come at any time, without threads as well.
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t phase;

static void on_alarm(int signal)
{
    (void)signal;
    assert(phase != 1); // fails here
}

int main(void)
{
    signal(SIGALRM, on_alarm);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_usec = 5000}, NULL);
    phase = 1;
    usleep(50000);
    phase = 2;
    return 0;
}
