// Taking a string apart and putting others together.
#include "explored.h"

static int subject(FILE *file)
{
    char *s = text(file), copy[8] = "-", *rest, *t;
    int n = 0;
    strcat(copy, s);
    strncat(copy, s, 1);
    char *d = strdup(copy);
    int r = strcmp(d, "-ab" "a") == 0 ? 40 : 0;
    free(d);
    for (t = strtok_r(s, ";", &rest); t; t = strtok_r(NULL, ";", &rest))
        n += t[0] == 'v' ? 5 : 1;
    return r + n;
}
