/* Two readings of one sensor: both plausible, together impossible, and nobody looked at both. */
#include <elsewise.h>
#include <stdint.h>

static int combine(uint32_t raw, uint32_t scaled)
{
    if (scaled != raw * 5u + 0x1234u)
        return 1;
    if ((raw ^ scaled) % 256u != 0x5cu)
        return 2;
    if (raw > 0x00ffffffu)
        return 3;
    if (raw < 0x00010000u)
        return 4;
    return 0;
}

int main(void)
{
    uint32_t raw, scaled;
    elsewise_input(&raw, sizeof raw, "raw");
    elsewise_input(&scaled, sizeof scaled, "scaled");
    elsewise_assume(raw != scaled);
    int verdict = combine(raw, scaled);
    elsewise_assert(verdict != 0); // fails here
    return verdict;
}
