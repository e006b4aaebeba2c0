//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "i"
// A library that is not instrumented has a function in place of one of the C library's that only prints.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int agrees(void);

int main(void)
{
    char text[2] = "";
    if (read(0, text, 1) != 1)
        return 1;
    puts(text);
    if (!agrees())
        abort(); // fails here
    return 0;
}
