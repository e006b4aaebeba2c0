/* Handles to blocks: closing a handle closes its copy too. */
#include <stdlib.h>
#include <unistd.h>

static void *slots[2];

int main(void)
{
    unsigned char b[8];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    for (int i = 0; i < 8; i += 2) {
        int slot;
        if (b[i + 1] == '0')
            slot = 0;
        else if (b[i + 1] == '1')
            slot = 1;
        else
            return 1;
        if (b[i] == 'n') {
            if (slots[slot])
                return 2;
            slots[slot] = malloc(24);
        } else if (b[i] == 'd') {
            if (!slots[slot] || slots[1 - slot])
                return 3;
            slots[1 - slot] = slots[slot];
        } else if (b[i] == 'x') {
            if (!slots[slot])
                return 4;
            if (slots[1 - slot] == slots[slot])
                slots[1 - slot] = NULL;
            free(slots[slot]);
            slots[slot] = NULL;
        } else {
            return 5;
        }
    }
    return 0;
}
