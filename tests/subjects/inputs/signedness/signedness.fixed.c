/* A frame with a signed length: a negative one is refused. */
#include <assert.h>
#include <stdint.h>
#include <unistd.h>

static int take_frame(const unsigned char *b)
{
    int16_t length = (int16_t)(b[2] | b[3] << 8);
    if ((b[0] ^ b[1]) != 0xff || b[0] != 0x7e)
        return 1;
    if (length < 0 || length > 64)
        return 2;
    /* The length comes twice, the second time as its complement. */
    int16_t check = (int16_t)(b[4] | b[5] << 8);
    if (check != (int16_t)~length)
        return 3;
    unsigned size = (unsigned)length;
    assert(size <= 64);
    return size == 0 ? 4 : 0;
}

int main(void)
{
    unsigned char frame[6];
    if (read(0, frame, sizeof frame) != (ssize_t)sizeof frame)
        return 99;
    return take_frame(frame);
}
