//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A library that is not instrumented keeps texts in a list of its own, before they are read.
#include <stdlib.h>
#include <unistd.h>

void adds(char *text);
int agrees(void);

int main(void)
{
    char *first = malloc(4), *second = malloc(4);
    adds(first);
    adds(second);
    if (read(0, first, 1) != 1)
        return 1;
    if (!agrees())
        abort(); // fails here
    return 0;
}
