// Comparing strings, where the result is no single term over their bytes.
#include "models.h"

static inline int __elw_h_digit(byte c)
{
    return (unsigned)c - '0' < 10;
}

// Numbers in the text are compared as numbers; those that begin with 0 as what is behind a decimal point.
int __elw_m_strverscmp(const char *one, const char *other)
{
    __elw_model();
    __elw_reads_text(one, SIZE_MAX);
    __elw_reads_text(other, SIZE_MAX);
    const byte *a = (const byte *)one, *b = (const byte *)other;
    size_t i = 0, number = 0;
    for (; a[i] == b[i]; i++) {
        if (!a[i])
            return 0;
        if (!__elw_h_digit(a[i]))
            number = i + 1;
    }
    int difference = a[i] - b[i];
    if (number == i) {
        // No digit before it: both numbers begin here, if there are any.
        if ((unsigned)a[i] - '1' >= 9 || (unsigned)b[i] - '1' >= 9)
            return difference;
    } else if (a[number] == '0') {
        while (number < i && a[number] == '0')
            number++;
        // Zeros alone in common: who goes on with a digit is less.
        if (number == i && __elw_h_digit(a[i]) != __elw_h_digit(b[i]))
            return __elw_h_digit(a[i]) ? -1 : 1;
        return difference;
    }
    // The number with more digits is greater.
    while (__elw_h_digit(a[i]) && __elw_h_digit(b[i]))
        i++;
    if (__elw_h_digit(a[i]))
        return 1;
    return __elw_h_digit(b[i]) ? -1 : difference;
}
