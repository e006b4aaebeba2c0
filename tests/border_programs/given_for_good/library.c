#include <setjmp.h>
#include <stdlib.h>

void leaves_unless_q(int byte)
{
    if (byte != 'Q')
        exit(0);
}

void jumps_if_r(jmp_buf to, int byte)
{
    if (byte == 'R')
        longjmp(to, 1);
}
