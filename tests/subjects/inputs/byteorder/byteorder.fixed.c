/* A block in network byte order: offset and length are compared each for itself. */
#include <stdint.h>
#include <unistd.h>

static unsigned char store[32];

static uint32_t big32(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static uint16_t big16(const unsigned char *b)
{
    return (uint16_t)(b[0] << 8 | b[1]);
}

int main(void)
{
    unsigned char b[10];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    if (big16(b) != 0xcafe)
        return 1;
    uint32_t offset = big32(b + 2);
    uint32_t length = big32(b + 6);
    if (length > sizeof store)
        return 2;
    if (offset > sizeof store || length > sizeof store - offset)
        return 3;
    for (uint32_t i = 0; i < length; i++) {
        volatile unsigned char *at = store + offset + i;
        *at = 1;
        if (i == 3)
            break;
    }
    return length == 0 ? 4 : 0;
}
