//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "B"
// What the program throws when it is called back is caught by a library that is not instrumented, which goes
// on as it likes.
#include <cstdlib>
#include <unistd.h>

extern "C" bool succeeds(void (*call)());

static unsigned char byte;

static void fails()
{
    throw static_cast<int>(byte);
}

int main()
{
    if (read(0, &byte, 1) != 1)
        return 1;
    if (!succeeds(fails))
        abort(); // fails here
}
