//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
// A function that is there only to be inlined: no file defines it.
#include <stdlib.h>
#include <unistd.h>

extern inline __attribute__((gnu_inline, always_inline)) int scaled(int x)
{
    return x > 50 ? x * 7 : x;
}

int main(void)
{
    unsigned char x;
    if (read(0, &x, 1) != 1)
        return 1;
    if (scaled(x) == 700)
        abort(); // fails here
    return 0;
}
