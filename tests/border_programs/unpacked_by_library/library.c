// Runs of bytes: a count and what is repeated, until a count of zero.
#include "library.h"

int unpack(struct unpacking *work)
{
    while (work->left >= 2 && work->next[0] != 0) {
        for (unsigned char i = 0; i < work->next[0]; i++) {
            if (work->written == work->room)
                return -1;
            work->out[work->written++] = work->next[1];
        }
        work->next += 2;
        work->left -= 2;
    }
    return work->left > 0 && work->next[0] == 0 ? 0 : -1;
}
