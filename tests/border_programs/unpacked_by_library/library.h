// What has to be unpacked, and where to, as the caller and the library share it.
#include <stddef.h>

struct unpacking {
    const unsigned char *next;
    size_t left;
    unsigned char *out;
    size_t room, written;
};

int unpack(struct unpacking *work);
