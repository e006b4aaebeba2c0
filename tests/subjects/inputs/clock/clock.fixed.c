/* Nanoseconds since the epoch: the largest second is left out, since it does not fit with all its parts. */
#include <elsewise.h>
#include <stdint.h>

#define PER_SECOND 1000000000ull

static int convert(uint64_t seconds, uint32_t parts, uint64_t *out)
{
    if (parts >= PER_SECOND)
        return 1;
    if (seconds >= UINT64_MAX / PER_SECOND)
        return 2;
    uint64_t whole = seconds * PER_SECOND;
    *out = whole + parts;
    elsewise_assert(*out >= whole);
    return 0;
}

int main(void)
{
    uint64_t seconds, total = 0;
    uint32_t parts;
    elsewise_input(&seconds, sizeof seconds, "seconds");
    elsewise_input(&parts, sizeof parts, "parts");
    return convert(seconds, parts, &total);
}
