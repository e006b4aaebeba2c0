//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "d"
// An object of a thread's own is destroyed at its end by a library that is not instrumented.
#include <unistd.h>

void keeps(char *text);

static char text;

int main()
{
    keeps(&text);
    if (read(0, &text, 1) != 1)
        return 1;
    return 0; // fails here
}
