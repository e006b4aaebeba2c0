//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "X"
// Assembly that jumps, by a byte in memory.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char byte;
    if (read(0, &byte, 1) != 1)
        return 1;
    __asm__ goto("cmpb $0x58, %0\n\tje %l1" : : "m"(byte) : "cc", "memory" : failed);
    return 0;
failed:
    abort(); // fails here
}
