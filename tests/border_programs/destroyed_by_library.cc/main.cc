//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// At the end of the program, a library that is not instrumented destroys an object of the program's.
#include "library.h"
#include <unistd.h>

static Note note;

int main()
{
    if (read(0, &note.text, 1) != 1)
        return 1;
    return 0; // fails here
}
