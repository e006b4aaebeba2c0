//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "Z"
// A library that is not instrumented has taken the place of standard output.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void redirects(void);
int agrees(void);

int main(void)
{
    redirects();
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    putchar(c);
    if (!agrees())
        abort(); // fails here
    return 0;
}
