/* A gauge: the range between two marks is the divisor, and the marks may meet. */
#include <stdint.h>
#include <unistd.h>

static int scale(char mode, int reading, int low, int high)
{
    if (mode == 'r')
        return reading;
    if (mode != '%')
        return -1;
    if (low > high)
        return -2;
    if (low < 1000)
        return -3;
    return (reading - low) * 100 / (high - low); // fails here
}

int main(void)
{
    unsigned char b[7];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    int reading = b[1] << 8 | b[2];
    int low = b[3] << 8 | b[4];
    int high = b[5] << 8 | b[6];
    int result = scale((char)b[0], reading, low, high);
    if (result < 0)
        return 1;
    return result > 100 ? 2 : 0;
}
