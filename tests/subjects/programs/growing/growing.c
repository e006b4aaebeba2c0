// Records with their length in front, into a buffer that grows: the third is needed.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char *all = NULL;
    size_t used = 0, room = 0;
    for (int record = 0;; record++) {
        unsigned char length;
        if (read(0, &length, 1) != 1)
            break;
        if (length > 6)
            return 1;
        if (used + length > room) {
            room = 2 * (used + length);
            all = realloc(all, room);
            if (!all)
                return 2;
        }
        if (read(0, all + used, length) != length)
            return 3;
        used += length;
        if (record == 2)
            break;
    }
    int result = 0;
#ifdef REPAIRED
    if (used == 9 && memcmp(all, "onetwosix", 9) == 0)
        result = 4;
#else
    if (used == 9 && memcmp(all, "onetwosix", 9) == 0)
        abort(); // fails here
#endif
    free(all);
    return result;
}
