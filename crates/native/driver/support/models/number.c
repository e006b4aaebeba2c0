// Whole numbers from text: `strtol` and its relatives, as glibc does it in the C locale.
#include "models.h"

// Value of a digit in any base; 36 for what is none. Up to base 10 one comparison decides;
// beyond, it is one term still.
static inline unsigned __elw_h_digit(int c, int base)
{
    unsigned number = (unsigned)c - '0';
    if (base <= 10)
        return number;
    unsigned letter = ((unsigned)c | 32) - 'a';
    unsigned is_number = number < 10, is_letter = letter < 26;
    return is_number * number + is_letter * (letter + 10) + (1 - (is_number | is_letter)) * 36;
}

// Magnitude of the number at the start of `text`. `*end` is behind it, or `text` when there is
// none. Where it does not fit in 64 bits, `*overflow` is set.
static unsigned long long __elw_h_digits(const char *text, const char **end, int base,
                                         int *overflow, int *negative)
{
    const byte *s = (const byte *)text;
    *overflow = 0;
    *negative = 0;
    *end = text;
    while (__elw_h_space(*s))
        s++;
    if (*s == '-') {
        *negative = 1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    // "0x" alone is the number 0 and what follows.
    const byte *zero = NULL;
    if ((base == 0 || base == 16) && *s == '0') {
        if ((s[1] | 32) == 'x') {
            zero = s + 1;
            s += 2;
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    } else if (base == 0) {
        base = 10;
    }
    unsigned long long value = 0, most = ULLONG_MAX / (unsigned)base;
    const byte *first = s;
    for (;; s++) {
        unsigned digit = __elw_h_digit(*s, base);
        if (digit >= (unsigned)base)
            break;
        // The first dozen digits of any base fit.
        if (s - first > 10 &&
            (value > most || value * (unsigned)base > ULLONG_MAX - digit))
            *overflow = 1;
        value = value * (unsigned)base + digit;
    }
    if (s != first)
        *end = (const char *)s;
    else if (zero)
        *end = (const char *)zero;
    return value;
}

static int __elw_h_base(int base)
{
    if (base >= 0 && base != 1 && base <= 36)
        return 1;
    errno = EINVAL;
    return 0;
}

static long __elw_h_signed(const char *text, char **end, int base)
{
    const char *stop;
    int overflow, negative;
    if (!__elw_h_base(base))
        return 0;
    __elw_begins();
    unsigned long long value = __elw_h_digits(text, &stop, base, &overflow, &negative);
    __elw_h_read_number(text, stop, end);
    if (overflow || value > (unsigned long)LONG_MAX + (unsigned)negative) {
        errno = ERANGE;
        return negative ? LONG_MIN : LONG_MAX;
    }
    return (long)(negative ? 0 - value : value);
}

// `strtol`, `strtoll`, `strtoimax` and `strtoq`.
long __elw_m_strtol(const char *text, char **end, int base)
{
    __elw_model();
    return __elw_h_signed(text, end, base);
}

// `strtoul`, `strtoull`, `strtoumax` and `strtouq`.
unsigned long __elw_m_strtoul(const char *text, char **end, int base)
{
    __elw_model();
    const char *stop;
    int overflow, negative;
    if (!__elw_h_base(base))
        return 0;
    __elw_begins();
    unsigned long long value = __elw_h_digits(text, &stop, base, &overflow, &negative);
    __elw_h_read_number(text, stop, end);
    if (overflow) {
        errno = ERANGE;
        return ULONG_MAX;
    }
    return negative ? 0 - value : value;
}

int __elw_m_atoi(const char *text)
{
    __elw_model();
    return (int)__elw_h_signed(text, NULL, 10);
}

// `atol` and `atoll`.
long __elw_m_atol(const char *text)
{
    __elw_model();
    return __elw_h_signed(text, NULL, 10);
}

ALSO(strtoll, strtol);
ALSO(strtoimax, strtol);
ALSO(strtoq, strtol);
ALSO(strtoull, strtoul);
ALSO(strtoumax, strtoul);
ALSO(strtouq, strtoul);
ALSO(atoll, atol);
