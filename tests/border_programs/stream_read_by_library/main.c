//: holds = "honest"
//: options = ["--input-size=2"]
//: witness = "a["
// A library is given standard input and reads it itself.
#include "library.h"
#include <stdlib.h>

int main(void)
{
    struct reader reader;
    reader_open(&reader, stdin);
    enum event event;
    while ((event = reader_next(&reader)) != END) {
        if (event == LIST)
            abort(); // fails here
    }
    return 0;
}
