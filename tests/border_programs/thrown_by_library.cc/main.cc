//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "b"
// A library that is not instrumented throws where what it was given is not to its liking: its call never returns.
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>

extern "C" void refuses_b(const char *text);

static bool refused(const char *text)
{
    try {
        refuses_b(text);
    } catch (const std::runtime_error &) {
        return true;
    }
    return false;
}

int main()
{
    static char byte;
    if (read(0, &byte, 1) != 1)
        return 1;
    if (refused(&byte))
        abort(); // fails here
}
