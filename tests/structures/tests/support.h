// What the tests of all structures use: checks that name their place, and random numbers that are
// the same every time.
#ifndef SUPPORT_H
#define SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(condition)                                                        \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

// A number below `bound`.
static inline int below(uint64_t *state, int bound)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (int)((z ^ (z >> 31)) % (uint64_t)bound);
}

// Takes the next digit off a number: what one of its `bound` values is.
static inline int digit(unsigned long *number, int bound)
{
    int taken = (int)(*number % (unsigned long)bound);
    *number /= (unsigned long)bound;
    return taken;
}

#endif
