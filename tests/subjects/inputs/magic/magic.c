/* A file header: four bytes of magic, a version, flags. One version was never finished. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static int open_header(const unsigned char *b)
{
    uint32_t magic = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    if (magic != 0x4b4c5745u)
        return 1;
    unsigned version = b[4];
    unsigned flags = b[5];
    if (version == 0 || version > 3)
        return 2;
    if (flags & 0xf0)
        return 3;
    if (version == 3 && flags == 9)
        abort(); // fails here
    return 0;
}

int main(void)
{
    unsigned char header[6];
    if (read(0, header, sizeof header) != (ssize_t)sizeof header)
        return 99;
    return open_header(header);
}
