//: holds = "honest"
//: options = ["--input-size=4"]
//: witness = "\u007fELF"
// Inline assembly loads from memory that holds input, at an address that it is given.
#include <stdlib.h>
#include <unistd.h>

static unsigned load_swapped(const void *from)
{
    unsigned value;
    __asm__("movl (%1), %0; bswap %0" : "=r"(value) : "r"(from) : "memory");
    return value;
}

int main(void)
{
    unsigned char magic[4];
    if (read(0, magic, sizeof magic) != (ssize_t)sizeof magic)
        return 1;
    if (load_swapped(magic) == 0x7f454c46)
        abort(); // fails here
    return 0;
}
