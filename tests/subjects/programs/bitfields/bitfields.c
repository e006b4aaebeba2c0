// A packed header: the checksum bits cover everything but one field.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct header {
    unsigned version : 3;
    unsigned kind : 5;
    int delta : 9;
    unsigned sum : 7;
    unsigned flags : 8;
};

int main(void)
{
    struct header h;
    if (read(0, &h, sizeof h) != (ssize_t)sizeof h)
        return 1;
    if (h.version != 5 || h.sum != ((h.kind * 3u + h.version) & 127u))
        return 2;
    if (h.delta >= 0)
        return 3;
#ifdef REPAIRED
    if (h.kind == 21 && h.delta == -200 && h.flags != 0)
        return 4;
#else
    if (h.kind == 21 && h.delta == -200 && h.flags != 0)
        abort(); // fails here
#endif
    return 0;
}
