//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "\u0001"
// An error's number is made by the input, and its text is printed into memory.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    unsigned char c;
    if (read(0, &c, 1) != 1)
        return 1;
    char text[100];
    errno = c;
    snprintf(text, sizeof text, "%m");
    if (strcmp(text, "Operation not permitted") == 0)
        abort(); // fails here
    return 0;
}
