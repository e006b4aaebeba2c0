// qsort and bsearch with a comparison of our own; two equal keys are one too many.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int by_value(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

int main(void)
{
    unsigned char b[5];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    qsort(b, 4, 1, by_value);
    if (b[0] < 10 || b[3] > 13)
        return 2;
    unsigned char *found = bsearch(&b[4], b, 4, 1, by_value);
    if (!found)
        return 3;
#ifdef REPAIRED
    assert(b[4] >= 10);
#else
    assert(b[0] == b[1] || b[1] == b[2] || b[2] == b[3]); // fails here
#endif
    return 0;
}
