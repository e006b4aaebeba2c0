//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// What the program writes to a stream goes to a function of a library that is not instrumented.
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
    fwrite(&c, 1, 1, stream);
    if (!agrees(stream))
        abort(); // fails here
    return 0;
}
