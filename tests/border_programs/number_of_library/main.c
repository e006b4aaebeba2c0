//: holds = "honest"
//: options = ["--input-size=2"]
//: witness = "QQ"
// A library that is not instrumented has a function by the name of one of the C library's, which comes first.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    static char text[3];
    if (read(0, text, 2) != 2)
        return 1;
    if (atoi(text) == 42 && text[0] > '9')
        abort(); // fails here
    return 0;
}
