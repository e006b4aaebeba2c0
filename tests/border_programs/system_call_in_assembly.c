//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "s"
// The input is read by a system call in inline assembly: no function is called.
#include <stdlib.h>

static long read_directly(long file, void *to, unsigned long size)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(0L), "D"(file), "S"(to), "d"(size)
                     : "rcx", "r11", "memory");
    return result;
}

int main(void)
{
    char c;
    if (read_directly(0, &c, 1) != 1)
        return 1;
    if (c == 's')
        abort(); // fails here
    return 0;
}
