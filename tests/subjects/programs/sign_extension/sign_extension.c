// A length byte that is signed on this machine: 0x80 and above become huge.
#include <assert.h>
#include <stddef.h>
#include <unistd.h>

int main(void)
{
    signed char b[4];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    if (b[0] != 'L' || b[1] != ':')
        return 2;
#ifdef REPAIRED
    size_t length = (unsigned char)b[2];
#else
    size_t length = (size_t)b[2];
#endif
    length += (unsigned char)b[3];
    assert(length <= 510); // fails here
    return 0;
}
