// A generator of reproducible arguments, and lines that a real run and a run with models must
// print alike.
#include <stdint.h>
#include <stdio.h>

static uint64_t state = 0x9e3779b97f4a7c15u;

static unsigned pick(unsigned limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 11) % limit;
}

// A string of up to `most` characters of `alphabet`.
static void word(char *to, unsigned most, const char *alphabet, unsigned letters)
{
    unsigned n = pick(most + 1);
    for (unsigned i = 0; i < n; i++)
        to[i] = alphabet[pick(letters)];
    to[n] = 0;
}

#define LETTERS(text) text, sizeof(text) - 1

// Where a pointer leads, seen from `base`.
static long off(const void *pointer, const void *base)
{
    return pointer ? (long)((const char *)pointer - (const char *)base) : -1;
}
