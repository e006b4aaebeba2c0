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
        uint32_t digit = (uint32_t)(b[i] - '0');
        if (value > (UINT32_MAX - digit) / 10u)
            return 3;
        uint32_t next = value * 10u + (uint32_t)(b[i] - '0');
        assert(next / 10u == value);
        value = next;
    }
    return value == 0 ? 2 : 0;
}
