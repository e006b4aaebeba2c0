// Classes of characters in the C locale, and small arithmetic: each result is one term. The
// values are those that glibc takes from its tables.
#include "models.h"

#define IN(c, first, count) (((unsigned)(c) - (unsigned)(first)) < (count))
#define UPPER(c) IN(c, 'A', 26)
#define LOWER(c) IN(c, 'a', 26)
#define ALPHA(c) IN((c) | 32, 'a', 26)
#define DIGIT(c) IN(c, '0', 10)

int __elw_m_isupper(int c) { return UPPER(c) * 256; }
int __elw_m_islower(int c) { return LOWER(c) * 512; }
int __elw_m_isalpha(int c) { return ALPHA(c) * 1024; }
int __elw_m_isdigit(int c) { return DIGIT(c) * 2048; }
int __elw_m_isxdigit(int c) { return (DIGIT(c) | IN((c) | 32, 'a', 6)) * 4096; }
int __elw_m_isspace(int c) { return __elw_h_space(c) * 8192; }
int __elw_m_isprint(int c) { return IN(c, ' ', 95) * 16384; }
int __elw_m_isgraph(int c) { return IN(c, '!', 94) * 32768; }
int __elw_m_isblank(int c) { return ((c == ' ') | (c == '\t')) * 1; }
int __elw_m_iscntrl(int c) { return (IN(c, 0, 32) | (c == 127)) * 2; }
int __elw_m_ispunct(int c) { return (IN(c, '!', 94) & !(ALPHA(c) | DIGIT(c))) * 4; }
int __elw_m_isalnum(int c) { return (ALPHA(c) | DIGIT(c)) * 8; }
int __elw_m_isascii(int c) { return (c & ~0x7f) == 0; }
int __elw_m_toascii(int c) { return c & 0x7f; }
// A char that was not made unsigned is, but for EOF.
#define UNSIGNED(c) ((c) + IN(c, -128, 127) * 256)
int __elw_m_toupper(int c) { return UNSIGNED(c) - LOWER(c) * 32; }
int __elw_m_tolower(int c) { return UNSIGNED(c) + UPPER(c) * 32; }

// Shifts the sign over the whole: adding and flipping with it negates.
int __elw_m_abs(int n)
{
    unsigned sign = (unsigned)(n >> 31);
    return (int)(((unsigned)n + sign) ^ sign);
}

// `labs` and `llabs`.
long __elw_m_labs(long n)
{
    unsigned long sign = (unsigned long)(n >> 63);
    return (long)(((unsigned long)n + sign) ^ sign);
}

intmax_t __elw_m_imaxabs(intmax_t n)
{
    return __elw_m_labs(n);
}

// `ffsl` and `ffsll`: the lowest bit that is set, found by halves.
int __elw_m_ffsl(long n)
{
    unsigned long bit = (unsigned long)n & -(unsigned long)n;
    int at = (bit != 0) + ((bit & 0xffffffff00000000) != 0) * 32;
    at += ((bit & 0xffff0000ffff0000) != 0) * 16;
    at += ((bit & 0xff00ff00ff00ff00) != 0) * 8;
    at += ((bit & 0xf0f0f0f0f0f0f0f0) != 0) * 4;
    at += ((bit & 0xcccccccccccccccc) != 0) * 2;
    return at + ((bit & 0xaaaaaaaaaaaaaaaa) != 0);
}

int __elw_m_ffs(int n)
{
    return __elw_m_ffsl((long)(unsigned)n);
}

// `htonl` and `ntohl`.
uint32_t __elw_m_htonl(uint32_t n) { return __builtin_bswap32(n); }
// `htons` and `ntohs`.
uint16_t __elw_m_htons(uint16_t n) { return __builtin_bswap16(n); }

ALSO(llabs, labs);
ALSO(ffsll, ffsl);
ALSO(ntohl, htonl);
ALSO(ntohs, htons);
