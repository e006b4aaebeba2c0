//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "V"
// A library that is not instrumented has given standard output a buffer, and looks there.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void begins(FILE *stream);
int agrees(void);

int main(void)
{
    begins(stdout);
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    putchar(c);
    if (!agrees())
        abort(); // fails here
    return 0;
}
