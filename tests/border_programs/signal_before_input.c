//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "X"
// A signal that is blocked is sent before there is input: a fork does not pass it on.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    sigset_t signals;
    char byte;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    raise(SIGUSR1);
    if (read(0, &byte, 1) != 1)
        return 1;
    sigpending(&signals);
    if (byte == 'X' && sigismember(&signals, SIGUSR1))
        abort(); // fails here
    return 0;
}
