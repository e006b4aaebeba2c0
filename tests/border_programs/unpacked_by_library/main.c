//: holds = "honest"
//: options = ["--input-size=8"]
//: witness = "\u0002a\u0003b\u0000..."
// A library is given a structure that points at the input, and unpacks it into other memory.
#include "library.h"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned char *packed = malloc(256), *text = malloc(1024);
    if (!packed || !text || fread(packed, 1, 8, stdin) != 8)
        return 1;
    struct unpacking work = {packed, 8, text, 1024, 0};
    if (unpack(&work) == 0 && work.written == 5)
        abort(); // fails here
    return 0;
}
