//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "b"
// A library that is not instrumented reads where a pointer leads, and leads it elsewhere before it returns.
#include <stdlib.h>
#include <unistd.h>

int begins_with_b(const char **text);

int main(void)
{
    static char byte;
    static const char *text = &byte;
    if (read(0, &byte, 1) != 1)
        return 1;
    if (begins_with_b(&text))
        abort(); // fails here
    return 0;
}
