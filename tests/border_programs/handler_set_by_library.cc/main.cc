//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "t"
// A library that is not instrumented handles what nobody catches, and has said so itself.
#include <unistd.h>

void begins();

int main()
{
    begins();
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    throw int(c); // fails here
}
