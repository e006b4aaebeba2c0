//: holds = "honest"
//: options = ["--input-size=3"]
//: witness = "a x"
// A library that is not instrumented takes the second word of a text of which the program has taken the first.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int agrees(void);

int main(void)
{
    char text[4] = "";
    if (read(0, text, 3) != 3)
        return 1;
    strtok(text, " ");
    if (!agrees())
        abort(); // fails here
    return 0;
}
