// Comparing strings and memory: one choice each.
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
    return strcmp(s, "mm") < 0 ? 8 : 9;
}
