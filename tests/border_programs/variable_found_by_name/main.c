//: holds = "honest"
//: options = ["--input-size=1"]
//: cflags = "-rdynamic"
//: witness = "x"
// A library that is not instrumented finds a variable of the program's by its name.
#include <stdlib.h>
#include <unistd.h>

int agrees(void);

char shown;

int main(void)
{
    if (read(0, &shown, 1) != 1)
        return 1;
    if (!agrees())
        abort(); // fails here
    return 0;
}
