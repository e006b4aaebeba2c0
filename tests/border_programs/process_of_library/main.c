//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "P"
// A library that is not instrumented starts a process that reads what the program has written.
#include <stdio.h>
#include <stdlib.h>

int agrees(void);

int main(void)
{
    int c = getchar();
    FILE *file = fopen("data", "w");
    if (c < 0 || !file)
        return 1;
    fputc(c, file);
    fclose(file);
    if (!agrees())
        abort(); // fails here
    return 0;
}
