// A file header compared as a whole, and a size in network order.
#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[12];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    if (memcmp(b, "\x89PKG\r\n\x1a\n", 8) != 0)
        return 2;
    uint32_t size;
    memcpy(&size, b + 8, 4);
#ifdef REPAIRED
    if (ntohl(size) == 65537)
        return 3;
#else
    if (ntohl(size) == 65537)
        abort(); // fails here
#endif
    return 0;
}
