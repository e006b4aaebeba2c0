//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A library that is not instrumented calls back, and looks at what the pointer leads to that it gets.
#include <stdlib.h>
#include <unistd.h>

int agrees(char *(*asks)(void));

static char byte[4];

static char *gives(void) { return byte; }

int main(void)
{
    if (read(0, byte, 1) != 1)
        return 1;
    if (!agrees(gives))
        abort(); // fails here
    return 0;
}
