//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "X"
// A library that is not instrumented keeps a pointer, and looks there when it is called without any.
#include <stdlib.h>
#include <unistd.h>

void keep(const unsigned char *where);
int look(void);

int main(void)
{
    static unsigned char byte;
    keep(&byte);
    if (read(0, &byte, 1) != 1)
        return 1;
    if (look() == 'X')
        abort(); // fails here
    return 0;
}
