// A little machine: a switch inside a loop, and a program that leaves its stack empty.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char code[6];
    if (read(0, code, sizeof code) != (ssize_t)sizeof code)
        return 1;
    int stack[8], top = 0;
    for (unsigned at = 0; at < sizeof code; at++) {
        switch (code[at] >> 4) {
        case 0:
            return stack[0] == 0;
        case 1:
            stack[top++] = code[at] & 15;
            break;
        case 2:
            if (top < 2)
                return 2;
            stack[top - 2] += stack[top - 1];
            top--;
            break;
        case 3:
            if (top < 1)
                return 3;
            stack[top - 1] *= 5;
            break;
        case 4:
#ifdef REPAIRED
            if (top == 1 && stack[0] == 85)
                return 4;
#else
            if (top == 1 && stack[0] == 85)
                abort(); // fails here
#endif
            break;
        default:
            return 5;
        }
    }
    return 0;
}
