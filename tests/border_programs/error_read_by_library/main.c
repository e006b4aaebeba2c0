//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "M"
// A library that is not instrumented reads the number of the last error, which the program has set.
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int agrees(void);

int main(void)
{
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    errno = c;
    if (!agrees())
        abort(); // fails here
    return 0;
}
