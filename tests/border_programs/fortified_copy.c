//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
//: cflags = "-O2 -D_FORTIFY_SOURCE=2"
//: witness = "\u0009"
// The C library looks whether there is room, where it is told to.
#include <string.h>
#include <unistd.h>

int main(void)
{
    unsigned char count;
    char buffer[8];
    if (read(0, &count, 1) != 1)
        return 1;
    memcpy(buffer, "aaaaaaaaaaaaaaaaaaaaaaa", count & 15); // fails here
    __asm__ volatile("" : : "r"(buffer) : "memory");
    return 0;
}
