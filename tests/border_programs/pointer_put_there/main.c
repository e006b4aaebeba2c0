//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A library that is not instrumented calls back, and looks at what the pointer leads to that is put
// into a variable of its own.
#include <stdlib.h>
#include <unistd.h>

int agrees_with(void (*asks)(char **));

static char byte[4];

static void puts_there(char **to) { *to = byte; }

int main(void)
{
    if (read(0, byte, 1) != 1)
        return 1;
    if (!agrees_with(puts_there))
        abort(); // fails here
    return 0;
}
