//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A library that is not instrumented knows variables of the program by a large table.
#include <stdlib.h>
#include <unistd.h>

void names(int index, int *flag);
int agrees(void);

static int level, other;

int main(void)
{
    unsigned char byte;
    names(0, &other);
    names(299, &level);
    if (read(0, &byte, 1) != 1)
        return 1;
    level = byte;
    if (!agrees())
        abort(); // fails here
    return 0;
}
