// A number of seven bits a byte; the sixth byte does not fit any more.
#include <assert.h>
#include <stdint.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[6];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    uint32_t value = 0;
    unsigned shift = 0, at = 0;
    do {
#ifdef REPAIRED
        if (shift > 28)
            return 2;
#endif
        assert(shift < 32); // fails here
        value |= (uint32_t)(b[at] & 127) << shift;
        shift += 7;
    } while (b[at++] & 128 && at < sizeof b);
    return value == 0;
}
