//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "m"
// A library that is not instrumented keeps a pointer at the end of a page of its own.
#include <stdlib.h>
#include <unistd.h>

void keeps(char *text);
int agrees(void);

int main(void)
{
    char *text = calloc(1, 1);
    keeps(text);
    if (read(0, text, 1) != 1)
        return 1;
    if (!agrees())
        abort(); // fails here
    return 0;
}
