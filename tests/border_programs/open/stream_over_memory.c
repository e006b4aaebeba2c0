//: holds = "found"
//: options = ["--input-size=4"]
//: witness = "1969"
// A stream over memory that holds the input, and a number that is scanned from it.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static char digits[4];
    if (fread(digits, 1, sizeof digits, stdin) != sizeof digits)
        return 1;
    FILE *stream = fmemopen(digits, sizeof digits, "r");
    int year;
    if (stream && fscanf(stream, "%d", &year) == 1 && year == 1969)
        abort(); // fails here
    return 0;
}
