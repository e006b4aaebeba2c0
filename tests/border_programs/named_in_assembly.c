//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "X"
// Assembly reads a variable that it is not given but names.
#include <stdlib.h>
#include <unistd.h>

unsigned char global;

int main(void)
{
    if (read(0, &global, 1) != 1)
        return 1;
    int value;
    __asm__ volatile("movzbl global(%%rip), %0" : "=r"(value));
    if (value == 'X')
        abort(); // fails here
    return 0;
}
