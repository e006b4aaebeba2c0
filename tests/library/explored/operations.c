// Operations that take the compiler one instruction and the runtime several nodes.
#include "explored.h"
#include <stdint.h>

struct pair {
    int64_t first;
    uint32_t second;
};

struct many {
    uint32_t words[6];
};

__attribute__((noinline)) static struct pair two(uint32_t v, uint32_t w)
{
    return (struct pair){(int64_t)v * 3, w ^ 0x55};
}

__attribute__((noinline)) static uint32_t by_value(struct many m)
{
    return m.words[1] * 5 + m.words[4];
}

static uint32_t flagged(int overflows, uint32_t result)
{
    return result * 2 + (uint32_t)overflows;
}

static uint32_t operation(unsigned which, uint32_t v, uint32_t w)
{
    int32_t result = 0, s = (int32_t)v, t = (int32_t)w;
    uint32_t unsigned_result = 0;
    int64_t wide = 0;
    switch (which) {
    case 0:
        return (uint32_t)__builtin_popcount(v);
    case 1:
        return (uint32_t)(__builtin_clz(v | 1) + __builtin_ctzll((uint64_t)w << 8 | 1u << 31));
    case 2:
        return __builtin_bswap32(v) ^ __builtin_bswap16((uint16_t)w);
    case 3:
        return __builtin_bitreverse32(v) >> 5;
    case 4:
        return __builtin_rotateleft32(v, 11) + __builtin_rotateright32(w, 3);
    case 5:
        return __builtin_rotateleft32(v, w & 31);
    case 6:
        return (uint32_t)__builtin_elementwise_abs(s) + (uint32_t)__builtin_elementwise_min(s, t);
    case 7:
        return (uint32_t)__builtin_elementwise_max(s, t) ^ __builtin_elementwise_min(v, w);
    case 8:
        return flagged(__builtin_sadd_overflow(s, t, &result), (uint32_t)result);
    case 9:
        return flagged(__builtin_ssub_overflow(s, t, &result), (uint32_t)result);
    case 10:
        return flagged(__builtin_smul_overflow(s, 77, &result), (uint32_t)result);
    case 11:
        return flagged(__builtin_uadd_overflow(v, w, &unsigned_result), unsigned_result);
    case 12:
        return flagged(__builtin_umul_overflow(v, 5, &unsigned_result), unsigned_result);
    case 13:
        return flagged(__builtin_mul_overflow((int64_t)s << 30, 9, &wide), (uint32_t)(wide >> 30));
    case 14: {
        struct pair p = two(v, w);
        return (uint32_t)p.first + p.second;
    }
    default: {
        struct many m = {{v, v + 1, v + 2, w, w + 1, w + 2}};
        return by_value(m);
    }
    }
}

static int subject(FILE *file)
{
    const unsigned char *b = (const unsigned char *)text(file);
    uint32_t v = b[0] * 0x01030507u ^ (uint32_t)b[1] << 24, w = b[1] * 0x00810204u + b[0];
    unsigned which = b[1] & 15;
    uint32_t found = operation(which, v, w);
    found ^= found >> 16;
    found ^= found >> 8;
    return (int)(which * 8 + ((found ^ found >> 3) & 7));
}
