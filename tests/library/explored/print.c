// Text that is printed into memory.
#include "explored.h"

static int subject(FILE *file)
{
    char *s = text(file), to[8];
    int n = snprintf(to, sizeof to, "<%3s>%.1s%%", s, s);
    if (strcmp(to, "< ok>o%") == 0)
        return 1;
    if (to[3] == 'z')
        return 2;
    return n;
}
