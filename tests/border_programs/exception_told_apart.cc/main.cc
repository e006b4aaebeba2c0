//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A library that is not instrumented looks at the exception that is being handled.
#include <cstdlib>
#include <unistd.h>

struct Error {
    int code;
};

bool agrees();

int main()
{
    unsigned char byte;
    if (read(0, &byte, 1) != 1)
        return 1;
    try {
        throw Error{byte};
    } catch (...) {
        if (!agrees())
            abort(); // fails here
    }
}
