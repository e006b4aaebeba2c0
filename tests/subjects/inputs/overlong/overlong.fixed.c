/* A quoted name in UTF-8 that must not hold a slash; the decoder refuses forms that are longer than need be. */
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[6];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    if (b[0] != '"' || b[5] != '"')
        return 1;
    for (int i = 1; i < 5; i++)
        if (b[i] == '/')
            return 2;
    for (int i = 1; i < 5;) {
        unsigned code = b[i++];
        if (code >= 0x80) {
            if (code < 0xc2 || code > 0xdf || b[i] < 0x80 || b[i] > 0xbf)
                return 3;
            code = (code & 0x1f) << 6 | (b[i++] & 0x3f);
        }
        assert(code != '/');
    }
    return 0;
}
