// Searching in a string.
#include "explored.h"

static int subject(FILE *file)
{
    char *s = text(file);
    int r = (int)strlen(s);
    if (strchr(s, 'k'))
        r += 3;
    if (strrchr(s, 'x') == s + 1)
        r += 6;
    if (strspn(s, "ab") == 2)
        r += 12;
    if (strcspn(s, ";,") == 1)
        r += 24;
    if (memchr(s, 7, 2))
        r += 48;
    return strstr("a(b)", s) == NULL ? r : 100;
}
