//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
//: witness = "x"
// Before the input, the program asks which signals are blocked and changes none.
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static sigjmp_buf here;

int main(void)
{
    sigset_t blocked;
    if (sigprocmask(SIG_BLOCK, NULL, &blocked) || sigsetjmp(here, 1))
        return 1;
    char c;
    if (read(0, &c, 1) != 1)
        return 2;
    if (c == 'x' && !sigismember(&blocked, SIGTERM))
        abort(); // fails here
    return 0;
}
