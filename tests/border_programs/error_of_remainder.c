//: holds = "found"
//: options = ["--input-size=1"]
//: complete = true
//: cflags = "-lm"
//: witness = "\u0007"
// A remainder that is none says so by an error number.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char byte;
    if (read(0, &byte, 1) != 1)
        return 1;
    errno = 0;
    volatile double rest = fmod(5.0, byte - 7.0);
    (void)rest;
    if (errno)
        abort(); // fails here
    return 0;
}
