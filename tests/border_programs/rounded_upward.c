//: holds = "honest"
//: options = ["--input-size=1"]
//: cflags = "-lm"
//: witness = "X"
// Sums are rounded as the program says, not as they usually are.
#include <fenv.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    fesetround(FE_UPWARD);
    unsigned char byte;
    if (read(0, &byte, 1) != 1)
        return 1;
    volatile double tiny = byte == 'X' ? 1e-30 : 0.0;
    if (1.0 + tiny > 1.0)
        abort(); // fails here
    return 0;
}
