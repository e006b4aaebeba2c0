//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "b"
// A library that is not instrumented frees what it has read.
#include <stdlib.h>
#include <unistd.h>

int takes(char *text);

int main(void)
{
    char *text = malloc(1);
    if (!text || read(0, text, 1) != 1)
        return 1;
    if (takes(text))
        abort(); // fails here
    return 0;
}
