// Prints the size of a BMP picture and its first colour. The bug: the file says how many colours follow.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t u32(const uint8_t *at)
{
    return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

int main(int argc, char **argv)
{
    uint8_t header[54], palette[16][4];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;

    if (!file) {
        fprintf(stderr, "usage: bmpinfo FILE\n");
        return 2;
    }
    if (fread(header, 1, sizeof header, file) != sizeof header || memcmp(header, "BM", 2)) {
        fprintf(stderr, "not a BMP file\n");
        return 1;
    }
    if (u32(header + 14) != 40 || header[28] > 4) {
        fprintf(stderr, "not supported\n");
        return 1;
    }
    uint32_t colours = u32(header + 46);
    for (uint32_t i = 0; i < colours; i++)
        if (fread(palette[i], 1, 4, file) != 4)
            return 1;
    printf("%u x %u, first colour %02x%02x%02x\n", u32(header + 18), u32(header + 22),
           palette[0][2], palette[0][1], palette[0][0]);
    return 0;
}
