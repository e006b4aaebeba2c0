//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A library has a function of its own with a name of the C library, which reads more than that one.
#include "library.h"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int c = getchar();
    char copy = (char)c;
    struct both both = {"a name", &copy};
    if (c < 0)
        return 1;
    if (access(&both))
        abort(); // fails here
    return 0;
}
