//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A signal is handled by a library that is not instrumented, which looks at what it was given before.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

void keeps(char *text);

int main(void)
{
    char *text = malloc(4);
    keeps(text);
    if (read(0, text, 1) != 1)
        return 1;
    raise(SIGUSR1); // fails here
    text[0] = 0;
    return 0;
}
