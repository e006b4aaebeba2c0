// Conversions of `sscanf`.
#include "explored.h"

static int subject(FILE *file)
{
    char *s = text(file), word[4] = "";
    int n = 0, at = 0;
    unsigned x = 0;
    switch (sscanf(s, "%1d%n", &n, &at)) {
    case 1:
        return n == 6 ? at : 10 + (n > 3);
    case EOF:
        return 20;
    }
    if (sscanf(s, "%[a-c]", word) == 1)
        return 30 + (int)strlen(word);
    if (sscanf(s, "%x", &x) == 1)
        return x == 0xf5 ? 40 : 41;
    return sscanf(s, "=%c", word) == 1 ? 50 + (word[0] == '=') : 60;
}
