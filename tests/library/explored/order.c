// Classes of characters, sorting and binary search.
#include "explored.h"

static int by_byte(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

static int subject(FILE *file)
{
    unsigned char *s = (unsigned char *)text(file);
    if ((isdigit)(s[0]))
        return (isxdigit)(s[1]) ? 1 : 2;
    if ((isupper)(s[0]))
        return (tolower)(s[0]) == 'q' ? 3 : 4;
    if ((ispunct)(s[0]) && (isspace)(s[1]))
        return 5;
    unsigned char sorted[3] = {s[0], s[1], 'm'};
    qsort(sorted, 3, 1, by_byte);
    if (sorted[1] == 'm')
        return sorted[0] == 'a' ? 6 : 7;
    return bsearch("z", sorted, 3, 1, by_byte) ? 8 : 9;
}
