//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
// `putchar` returns what it was given, and the program goes on with that.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    if (c == EOF)
        return 1;
    if (putchar(c) == 'g')
        abort(); // fails here
    return 0;
}
