//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "Q"
// A library that is not instrumented calls back, and finds what it is told in a variable of its own.
#include <stdlib.h>
#include <unistd.h>

int asks(void (*answers)(int *));

static void answers(int *answer)
{
    unsigned char byte;
    if (read(0, &byte, 1) == 1)
        *answer = byte;
}

int main(void)
{
    if (asks(answers))
        abort(); // fails here
    return 0;
}
