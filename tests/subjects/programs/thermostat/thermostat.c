// Tenths of a degree, scaled as floats and cut to integers.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[3];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    if (b[0] != 'T')
        return 2;
    float celsius = (float)(b[1] * 256 + b[2]) / 10.0f;
    if (celsius < 20.0f || celsius > 90.0f)
        return 3;
    int fahrenheit = (int)(celsius * 1.8f + 32.0f);
#ifdef REPAIRED
    assert(fahrenheit <= 194);
#else
    assert(fahrenheit < 193); // fails here
#endif
    return 0;
}
