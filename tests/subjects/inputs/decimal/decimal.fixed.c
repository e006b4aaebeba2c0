/* A decimal number: ten digits are refused when they hold more than 32 bits do. */
#include <assert.h>
#include <stdint.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[10];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    uint32_t value = 0;
    for (int i = 0; i < 10; i++) {
        if (b[i] < '0' || b[i] > '9')
            return 1;
        uint64_t next = (uint64_t)value * 10u + (uint64_t)(b[i] - '0');
        if (next > UINT32_MAX)
            return 3;
        value = (uint32_t)next;
        assert(value == next);
    }
    return value == 0 ? 2 : 0;
}
