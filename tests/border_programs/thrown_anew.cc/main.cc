//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "A"
// What the program throws when it is called back is caught by a library that is not instrumented, which throws
// something else.
#include <cstdlib>
#include <unistd.h>

extern "C" void passes_on(void (*call)());

static unsigned char byte;

static void fails()
{
    throw static_cast<int>(byte);
}

int main()
{
    if (read(0, &byte, 1) != 1)
        return 1;
    try {
        passes_on(fails);
    } catch (int error) {
        if (error == 'B')
            abort(); // fails here
    }
}
