//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
// `error` is a function of the program that writes through a pointer: not the one of the library.
#include "scan.h"
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    struct scan scan = {0, 0};
    unsigned char c;
    if (read(0, &c, 1) != 1)
        return 1;
    error(&scan, c);
    if (scan.severity == 3)
        abort(); // fails here
    return 0;
}
