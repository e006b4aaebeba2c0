//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A library that is not instrumented opens a stream into memory of its own, to which the program writes.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

FILE *opened(void);
int agrees(FILE *stream);

int main(void)
{
    FILE *stream = opened();
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    fputc(c, stream);
    if (!agrees(stream))
        abort(); // fails here
    return 0;
}
