// Whole numbers from text.
#include "explored.h"

static int subject(FILE *file)
{
    char *s = text(file), *end;
    long n = strtol(s, &end, 0);
    if (*end)
        return end == s ? 1 : 2;
    if (n == 7)
        return 3;
    if (n < -4)
        return 4;
    if (strtoul(s, NULL, 16) == 0xbe)
        return 5;
    return atoi(s) > 40 ? 6 : 7;
}
