//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "p"
// A library that is not instrumented reads the program's name, which the program has changed.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int agrees(void);

static char name[2];

int main(void)
{
    if (read(0, name, 1) != 1)
        return 1;
    program_invocation_short_name = name;
    if (!agrees())
        abort(); // fails here
    return 0;
}
