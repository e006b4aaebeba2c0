// Comparing strings and memory: one choice each, but for versions.
#include "explored.h"

static int subject(FILE *file)
{
    char *s = text(file);
    if (strcmp(s, "if") == 0)
        return 1;
    if (strncmp(s, "elsewise", 2) == 0)
        return 2;
    if (strcasecmp(s, "Do") == 0)
        return 3;
    if (strncasecmp("gOTO", s, 2) == 0)
        return 4;
    if (memcmp(s, "\xff\x01", 2) > 0)
        return 5;
    if (strcmp(s, "if") == 1)
        return 6;
    if (strcmp("k", s) == 'k')
        return 7;
    if (strcmp(s, "mm") >= 0)
        return 9;
    // Numbers by their size, and fractions before what has none.
    int number = strverscmp(s, "9"), fraction = strverscmp(s, "0");
    if (number > 0)
        return number == 1 ? 10 : 11;
    return fraction == -1 ? 12 : fraction < 0 ? 13 : 8;
}
