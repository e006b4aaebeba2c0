//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
//: witness = "\u00e4"
// The index of such a table is a shifted number below zero, which several inputs share.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    signed char sample;
    if (read(0, &sample, 1) != 1)
        return 1;
    int counts[64] = {0};
    int *middle = counts + 32;
    middle[sample >> 2] = 1;
    if (middle[-7] == 1)
        abort(); // fails here
    return 0;
}
