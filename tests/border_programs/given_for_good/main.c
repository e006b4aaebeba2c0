//: holds = "honest"
//: options = ["--input-size=2"]
//: witness = "QR"
// A library that is not instrumented may keep control for good, or leave by a jump: nothing is said after its call.
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

void leaves_unless_q(int byte);
void jumps_if_r(jmp_buf to, int byte);

int main(void)
{
    unsigned char bytes[2];
    jmp_buf here;
    if (read(0, bytes, 2) != 2)
        return 1;
    leaves_unless_q(bytes[0]);
    if (setjmp(here))
        abort(); // fails here
    jumps_if_r(here, bytes[1]);
    return 0;
}
