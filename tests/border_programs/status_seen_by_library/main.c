//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "E"
// A library that is not instrumented is told at the end with which code the program ends.
#include <stdio.h>

void begins(void);

int main(void)
{
    begins();
    int c = getchar();
    if (c == '!')
        puts("!");
    return c & 127; // fails here
}
