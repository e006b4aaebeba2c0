//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// What a library that is not instrumented has put into a pipe before the input is taken out by the first run.
#include <stdlib.h>
#include <unistd.h>

void begins(void);
int takes(void);

int main(void)
{
    begins();
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    int taken = takes();
    if (c == 'x' && taken)
        abort(); // fails here
    return 0;
}
