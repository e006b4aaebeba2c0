//: holds = "found"
//: kind = "use-after-free"
//: options = ["--input-size=2", "--sanitize=address", "--fork"]
//: witness = "\u0001\u0001"
// Which block is freed and which one is read are both chosen by the input: only some pairs are wrong.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[2];
    char *blocks[4];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    for (int i = 0; i < 4; i++) {
        blocks[i] = malloc(16);
        if (!blocks[i])
            return 2;
        blocks[i][0] = (char)i;
    }
    free(blocks[1 + (b[0] & 1)]);
    volatile char first = *blocks[3 - (b[1] & 1)]; // fails here
    (void)first;
    return 0;
}
