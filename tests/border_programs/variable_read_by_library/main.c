//: holds = "honest"
//: options = ["--env=LEVEL=@arg:1"]
//: witness = "x"
// A library that is not instrumented looks at a variable of the environment that is an input.
#include <stdlib.h>

int agrees(void);

int main(void)
{
    if (!agrees())
        abort(); // fails here
    return 0;
}
