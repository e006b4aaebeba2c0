//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "W"
// A library that is not instrumented prints what a conversion of its own is given.
#include <stdio.h>
#include <stdlib.h>

void begins(void);
int agrees(void);

int main(void)
{
    begins();
    int c = getchar();
    const char *format = "%W\n";
    printf(format, c);
    if (!agrees())
        abort(); // fails here
    return 0;
}
