// Integers of every width and sign, each tied to the one before by a conversion.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[15];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    int8_t small = (int8_t)b[0];
    uint16_t half;
    int32_t word;
    uint64_t wide;
    memcpy(&half, b + 1, 2);
    memcpy(&word, b + 3, 4);
    memcpy(&wide, b + 7, 8);
    if (small >= 0 || half != (uint16_t)(small * 3))
        return 2;
    if (word != (int32_t)((uint32_t)half * half))
        return 3;
#ifdef REPAIRED
    if ((int64_t)wide == (int64_t)word << 8)
        return 4;
#else
    if ((int64_t)wide == (int64_t)word << 8)
        abort(); // fails here
#endif
    return 0;
}
