//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A library that is not instrumented keeps a pointer in a variable of which each thread has its own.
#include <stdlib.h>
#include <unistd.h>

void keeps(char *text);
int agrees(void);

int main(void)
{
    static char text[4];
    keeps(text);
    if (read(0, text, 1) != 1)
        return 1;
    if (!agrees())
        abort(); // fails here
    return 0;
}
