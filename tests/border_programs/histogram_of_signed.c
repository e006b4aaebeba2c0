//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
//: witness = "\u00f9"
// A table that is counted from its middle: indices below zero are elements as all others are.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    signed char sample;
    if (read(0, &sample, 1) != 1)
        return 1;
    int counts[256] = {0};
    int *middle = counts + 128;
    middle[sample] = 1;
    if (middle[-7] == 1)
        abort(); // fails here
    return 0;
}
