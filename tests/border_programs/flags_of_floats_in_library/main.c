//: holds = "honest"
//: options = ["--input-size=1"]
//: cflags = "-lm"
//: witness = "f"
// A library that is not instrumented asks whether the program has divided by zero.
#include <stdlib.h>
#include <unistd.h>

int agrees(void);

int main(void)
{
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    volatile double divisor = c - 'f';
    volatile double quotient = 1.0 / divisor;
    (void)quotient;
    if (!agrees())
        abort(); // fails here
    return 0;
}
