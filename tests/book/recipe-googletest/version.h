// Versions: three numbers in one.
#ifndef VERSION_H
#define VERSION_H

#include <cstdint>

// 8 bits for the major number, 8 for the minor one, 16 for the patch.
inline uint32_t pack(unsigned major, unsigned minor, unsigned patch)
{
    return major << 24 | minor << 16 | patch;
}

inline bool older(uint32_t a, uint32_t b)
{
    return static_cast<int32_t>(a - b) < 0;
}

#endif
