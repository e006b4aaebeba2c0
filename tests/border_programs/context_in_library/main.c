//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A context of its own begins in a library that is not instrumented.
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

void looks(char *text);
int agrees(void);

static char c, stack[65536];
static ucontext_t other, back;

int main(void)
{
    if (read(0, &c, 1) != 1)
        return 1;
    getcontext(&other);
    other.uc_stack.ss_sp = stack;
    other.uc_stack.ss_size = sizeof stack;
    other.uc_link = &back;
    makecontext(&other, (void (*)(void))looks, 1, &c);
    swapcontext(&back, &other);
    if (!agrees())
        abort(); // fails here
    return 0;
}
