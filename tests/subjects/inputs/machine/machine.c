/* A stack machine: one of its instructions does not look whether the stack holds enough. */
#include <assert.h>
#include <unistd.h>

enum { PUSH = 0x11, ADD = 0x2e, SWAP = 0x57, DROP = 0x83, HALT = 0xf4 };

int main(void)
{
    unsigned char code[6];
    if (read(0, code, sizeof code) != (ssize_t)sizeof code)
        return 99;
    if (code[0] != 0x4d || code[1] != 0x43)
        return 7;
    int stack[8] = {0};
    int depth = 0;
    for (int at = 2; at < 6; at++) {
        switch (code[at]) {
        case PUSH:
            stack[depth++] = at;
            break;
        case ADD:
            if (depth < 2)
                return 1;
            depth--;
            stack[depth - 1] += stack[depth];
            break;
        case SWAP: {
            if (depth < 1)
                return 2;
            assert(depth >= 2); // fails here
            int top = stack[depth - 1];
            stack[depth - 1] = stack[depth - 2];
            stack[depth - 2] = top;
            break;
        }
        case DROP:
            if (depth < 1)
                return 3;
            depth--;
            break;
        case HALT:
            return depth == 1 ? 0 : 4;
        default:
            return 5;
        }
    }
    return 6;
}
