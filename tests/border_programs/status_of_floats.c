//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "X"
// What floats have raised is asked of the processor.
#include <stdlib.h>
#include <unistd.h>
#include <xmmintrin.h>

int main(void)
{
    unsigned char byte;
    if (read(0, &byte, 1) != 1)
        return 1;
    _mm_setcsr(_mm_getcsr() & ~0x3fu);
    volatile double quotient = 1.0 / (byte - 88.0);
    (void)quotient;
    if (_mm_getcsr() & _MM_EXCEPT_DIV_ZERO)
        abort(); // fails here
    return 0;
}
