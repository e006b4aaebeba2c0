//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "\n"
// A stream that is flushed at the end of a line, to a device that has no room.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *full = fopen("/dev/full", "w");
    int c = getchar();
    if (!full || c == EOF)
        return 1;
    setvbuf(full, NULL, _IOLBF, 1024);
    fputc(c, full);
    if (ferror(full))
        abort(); // fails here
    return 0;
}
