//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// An exception that nobody catches is looked at by a library that is not instrumented.
#include <exception>
#include <unistd.h>

void ends();

int main()
{
    std::set_terminate(ends);
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    throw int(c); // fails here
}
