// Floating-point numbers from text. The syntax is decided by choices; where the decimal digits
// and the exponent are few, one exact operation gives the correctly rounded value, and the
// digits stay followed. Hexadecimal digits without an exponent, and what is infinite or no number, are known, too.
// Everything else goes to the real function with its text made concrete.
#include "models.h"
#include <stdlib.h>

struct number {
    const byte *end;
    unsigned long long digits;
    int count, exponent, negative;
    // Only digits, a point and an exponent; or hexadecimal digits and a point.
    int decimal, hexadecimal;
    // No number is there, or one that has a name.
    int named;
};

enum { NOTHING = 1, INFINITE, NO_NUMBER };

static int __elw_h_word(const byte *s, const char *word)
{
    int n = 0;
    while (word[n]) {
        if ((s[n] | 32) != (byte)word[n])
            return 0;
        n++;
    }
    return n;
}

static inline int __elw_h_hex(int c)
{
    return (((unsigned)c - '0') < 10) | ((((unsigned)c | 32) - 'a') < 6);
}

static inline unsigned __elw_h_digit(int c)
{
    return (unsigned)c - '0' < 10 ? (unsigned)c - '0' : ((unsigned)c | 32) - 'a' + 10;
}

// Behind an exponent that begins with `mark` at `s`; `s` when there is none.
static const byte *__elw_h_exponent(const byte *s, int mark, int *value)
{
    const byte *at = s;
    int negative = 0, sum = 0;
    if ((*at | 32) != mark)
        return s;
    at++;
    if (*at == '-') {
        negative = 1;
        at++;
    } else if (*at == '+') {
        at++;
    }
    if (((unsigned)*at - '0') >= 10)
        return s;
    for (; ((unsigned)*at - '0') < 10; at++)
        sum = sum > 99999 ? sum : sum * 10 + (*at - '0');
    *value = negative ? -sum : sum;
    return at;
}

static void __elw_h_parse(const byte *text, struct number *number)
{
    const byte *s = text;
    *number = (struct number){.end = text, .named = NOTHING};
    while (__elw_h_space(*s))
        s++;
    if (*s == '-') {
        number->negative = 1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    int n;
    if ((n = __elw_h_word(s, "inf"))) {
        number->end = s + n + __elw_h_word(s + n, "inity");
        number->named = INFINITE;
        return;
    }
    if ((n = __elw_h_word(s, "nan"))) {
        s += n;
        number->end = s;
        number->named = NO_NUMBER;
        if (*s == '(') {
            number->named = 0;
            for (s++; __elw_h_hex(*s) | (((unsigned)*s | 32) - 'a' < 26) | (*s == '_'); s++)
                ;
            if (*s == ')')
                number->end = s + 1;
        }
        return;
    }
    int any = 0, power;
    if (*s == '0' && (s[1] | 32) == 'x') {
        number->end = s + 1;
        s += 2;
        for (int point = 0;; s++) {
            if (__elw_h_hex(*s)) {
                any = 1;
                number->count++;
                number->exponent -= point;
                if (number->count < 16)
                    number->digits = number->digits * 16 + __elw_h_digit(*s);
            } else if (!point && *s == '.') {
                point = 1;
            } else {
                break;
            }
        }
        if (any) {
            number->named = 0;
            number->end = __elw_h_exponent(s, 'p', &power);
            number->hexadecimal = number->end == s;
        }
        return;
    }
    int point = 0;
    for (;; s++) {
        if (((unsigned)*s - '0') < 10) {
            any = 1;
            number->count++;
            number->exponent -= point;
            if (number->count < 19)
                number->digits = number->digits * 10 + (*s - '0');
        } else if (!point && *s == '.') {
            point = 1;
        } else {
            break;
        }
    }
    if (!any)
        return;
    number->named = 0;
    power = 0;
    number->end = __elw_h_exponent(s, 'e', &power);
    number->exponent += power;
    number->decimal = 1;
}

static const double __elw_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Numbers of so many digits and powers of ten so large are exact, so that one division or
// multiplication rounds correctly.
static int __elw_h_exact(const struct number *number, int digits, int power)
{
    return number->decimal && number->count <= digits && number->exponent >= -power &&
           number->exponent <= power;
}

// As many digits to the base of 16 are exact, wherever the point is.
static int __elw_h_hexadecimal(const struct number *number, int digits, double *value)
{
    if (!number->hexadecimal || number->count > digits)
        return 0;
    *value = (double)(long)number->digits;
    for (int place = number->exponent; place < 0; place++)
        *value /= 16;
    if (number->negative)
        *value = -*value;
    return 1;
}

static double __elw_h_named(const char *text, const struct number *number)
{
    double value = 0;
    if (number->named == INFINITE)
        value = __builtin_inf();
    else if (number->named == NO_NUMBER)
        value = __builtin_nan("");
    return number->negative && number->end != (const byte *)text ? -value : value;
}

// The real function gets the text as it is; `end` is where the syntax says that it ends.
#define REAL(type, function)                                                                       \
    if (number.named)                                                                              \
        return (type)__elw_h_named(text, &number);                                                 \
    double small;                                                                                  \
    if (__elw_h_hexadecimal(&number, sizeof(type) == 4 ? 6 : 13, &small))                          \
        return (type)small;                                                                        \
    char *stop;                                                                                    \
    __elw_settle(text, (size_t)(number.end - (const byte *)text));                                 \
    type value = function(text, &stop);                                                            \
    if (stop != (const char *)number.end)                                                          \
        __elw_unfollowed();                                                                        \
    return value;

static double __elw_h_double(const char *text, char **end)
{
    struct number number;
    __elw_begins();
    __elw_h_parse((const byte *)text, &number);
    __elw_h_read_number(text, (const char *)number.end, end);
    if (__elw_h_exact(&number, 15, 22)) {
        double value = (double)(long)number.digits;
        if (number.exponent < 0)
            value /= __elw_powers[-number.exponent];
        else
            value *= __elw_powers[number.exponent];
        return number.negative ? -value : value;
    }
    REAL(double, strtod)
}

double __elw_m_strtod(const char *text, char **end)
{
    __elw_model();
    return __elw_h_double(text, end);
}

double __elw_m_atof(const char *text)
{
    __elw_model();
    return __elw_h_double(text, NULL);
}

float __elw_m_strtof(const char *text, char **end)
{
    __elw_model();
    struct number number;
    __elw_begins();
    __elw_h_parse((const byte *)text, &number);
    __elw_h_read_number(text, (const char *)number.end, end);
    if (__elw_h_exact(&number, 7, 10)) {
        float value = (float)(int)number.digits;
        if (number.exponent < 0)
            value /= (float)__elw_powers[-number.exponent];
        else
            value *= (float)__elw_powers[number.exponent];
        return number.negative ? -value : value;
    }
    REAL(float, strtof)
}

long double __elw_m_strtold(const char *text, char **end)
{
    __elw_model();
    struct number number;
    __elw_begins();
    __elw_h_parse((const byte *)text, &number);
    __elw_h_read_number(text, (const char *)number.end, end);
    REAL(long double, strtold)
}
