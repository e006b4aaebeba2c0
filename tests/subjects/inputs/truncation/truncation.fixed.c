/* Two parts of a message: their lengths are added in 32 bits. */
#include <assert.h>
#include <stdint.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[6];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    if (b[0] != 0xa5 || b[1] != 0x3c)
        return 1;
    uint16_t head = (uint16_t)(b[2] << 8 | b[3]);
    uint16_t body = (uint16_t)(b[4] << 8 | b[5]);
    uint32_t total = (uint32_t)head + body;
    if (total > 32)
        return 2;
    if (head < 4)
        return 3;
    assert(body <= 32);
    return body == 0 ? 4 : 0;
}
