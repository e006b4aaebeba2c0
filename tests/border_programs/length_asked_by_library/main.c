//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "\u0080"
// A library that is not instrumented asks how long a file is into which the program has printed a number.
#include <stdio.h>
#include <stdlib.h>

int agrees(void);

int main(void)
{
    int c = getchar();
    FILE *file = fopen("data", "w");
    if (c < 0 || !file)
        return 1;
    fprintf(file, "%d", c);
    fclose(file);
    if (!agrees())
        abort(); // fails here
    return 0;
}
