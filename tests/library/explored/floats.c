// Arithmetic on floats, conversions, comparisons with what is no number.
#include "explored.h"
#include <math.h>

static int subject(FILE *file)
{
    const unsigned char *b = (const unsigned char *)text(file);
    float x = (float)b[0] * 0.25f - 8.0f;
    float root = sqrtf((float)b[1] - 5.0f);
    if (root != root)
        return 1;
    if (root == 4.0f)
        return 2;
    if (x < 0.0f)
        return fabsf(x) == 3.75f ? 3 : 4;
    if (floorf(x) == 7.0f && x != 7.0f)
        return 5;
    if ((int)(x * 1.5f) == 33)
        return 6;
    if ((double)b[1] * 0.5 > 100.25)
        return 7;
    return (double)x == b[1] ? 8 : 9;
}
