// A checksum through a table: every index is input.
#include <stdlib.h>
#include <unistd.h>

static unsigned char table[256];

int main(void)
{
    for (int i = 0; i < 256; i++) {
        unsigned char c = (unsigned char)i;
        for (int bit = 0; bit < 8; bit++)
            c = (unsigned char)(c & 0x80 ? c << 1 ^ 0x07 : c << 1);
        table[i] = c;
    }
    unsigned char b[5];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    unsigned char sum = 0;
    for (int i = 0; i < 4; i++)
        sum = table[sum ^ b[i]];
#ifdef REPAIRED
    if (sum == b[4] && b[0] == 'C' && sum == 0x5a)
        return 2;
#else
    if (sum == b[4] && b[0] == 'C' && sum == 0x5a)
        abort(); // fails here
#endif
    return 0;
}
