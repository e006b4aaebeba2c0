//: holds = "honest"
//: options = ["--input-size=2"]
//: witness = "xq"
// A library that is not instrumented has read standard input when the program begins.
#include <stdlib.h>
#include <unistd.h>

int first(void);

int main(void)
{
    char second;
    if (read(0, &second, 1) != 1)
        return 1;
    if (second == 'q' && first())
        abort(); // fails here
    return 0;
}
