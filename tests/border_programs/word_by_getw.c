//: holds = "honest"
//: options = ["--input-size=4"]
//: witness = "dcba"
// A binary number of a stream, read with getw.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int word = getw(stdin);
    if (word == 0x61626364)
        abort(); // fails here
    return 0;
}
