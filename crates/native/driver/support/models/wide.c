// Wide characters and text, as glibc has them in the C locale.
#include "models.h"
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

long __elw_m_strtol(const char *text, char **end, int base);
unsigned long __elw_m_strtoul(const char *text, char **end, int base);
double __elw_m_strtod(const char *text, char **end);

static size_t __elw_h_wide_length(const wchar_t *s, size_t limit)
{
    for (size_t n = 0; n < limit; n++) {
        __elw_reads(s + n, sizeof *s);
        if (!s[n])
            return n;
    }
    return limit;
}

static wchar_t *__elw_h_wide_copy(wchar_t *to, const wchar_t *from, size_t count)
{
    return __elw_m_memmove(to, from, count * sizeof *to);
}

size_t __elw_m_wcslen(const wchar_t *s)
{
    __elw_model();
    return __elw_h_wide_length(s, SIZE_MAX);
}

size_t __elw_m_wcsnlen(const wchar_t *s, size_t limit)
{
    __elw_model();
    return __elw_h_wide_length(s, limit);
}

// Compares until both end, if `texts`.
static int __elw_h_wide_compare(const wchar_t *a, const wchar_t *b, size_t count, int texts)
{
    for (size_t n = 0; n < count; n++) {
        __elw_reads(a + n, sizeof *a);
        __elw_reads(b + n, sizeof *b);
        if (a[n] != b[n])
            return a[n] < b[n] ? -1 : 1;
        if (texts && !a[n])
            break;
    }
    return 0;
}

int __elw_m_wcscmp(const wchar_t *a, const wchar_t *b)
{
    __elw_model();
    return __elw_h_wide_compare(a, b, SIZE_MAX, 1);
}

int __elw_m_wcsncmp(const wchar_t *a, const wchar_t *b, size_t count)
{
    __elw_model();
    return __elw_h_wide_compare(a, b, count, 1);
}

int __elw_m_wmemcmp(const wchar_t *a, const wchar_t *b, size_t count)
{
    __elw_model();
    return __elw_h_wide_compare(a, b, count, 0);
}

wchar_t *__elw_m_wcschr(const wchar_t *s, wchar_t c)
{
    __elw_model();
    for (;; s++) {
        __elw_reads(s, sizeof *s);
        if (*s == c)
            return (wchar_t *)s;
        if (!*s)
            return NULL;
    }
}

wchar_t *__elw_m_wcsrchr(const wchar_t *s, wchar_t c)
{
    __elw_model();
    for (size_t n = __elw_h_wide_length(s, SIZE_MAX) + 1; n--;)
        if (s[n] == c)
            return (wchar_t *)s + n;
    return NULL;
}

wchar_t *__elw_m_wmemchr(const wchar_t *s, wchar_t c, size_t count)
{
    __elw_model();
    for (; count; s++, count--) {
        __elw_reads(s, sizeof *s);
        if (*s == c)
            return (wchar_t *)s;
    }
    return NULL;
}

wchar_t *__elw_m_wcsstr(const wchar_t *in, const wchar_t *what)
{
    __elw_model();
    size_t length = __elw_h_wide_length(what, SIZE_MAX);
    size_t rest = __elw_h_wide_length(in, SIZE_MAX);
    for (; rest >= length; in++, rest--)
        if (!__elw_h_wide_compare(in, what, length, 0))
            return (wchar_t *)in;
    return NULL;
}

wchar_t *__elw_m_wmemcpy(wchar_t *to, const wchar_t *from, size_t count)
{
    __elw_model();
    return __elw_h_wide_copy(to, from, count);
}

wchar_t *__elw_m_wmemset(wchar_t *to, wchar_t c, size_t count)
{
    __elw_model();
    __elw_writes(to, count * sizeof *to);
    for (size_t n = 0; n < count; n++)
        to[n] = c;
    return to;
}

wchar_t *__elw_m_wcscpy(wchar_t *to, const wchar_t *from)
{
    __elw_model();
    return __elw_h_wide_copy(to, from, __elw_h_wide_length(from, SIZE_MAX) + 1);
}

wchar_t *__elw_m_wcsncpy(wchar_t *to, const wchar_t *from, size_t count)
{
    __elw_model();
    size_t length = __elw_h_wide_length(from, count);
    __elw_h_wide_copy(to, from, length);
    __elw_m_memset(to + length, 0, (count - length) * sizeof *to);
    return to;
}

wchar_t *__elw_m_wcscat(wchar_t *to, const wchar_t *from)
{
    __elw_model();
    __elw_h_wide_copy(to + __elw_h_wide_length(to, SIZE_MAX), from,
                      __elw_h_wide_length(from, SIZE_MAX) + 1);
    return to;
}

wchar_t *__elw_m_wcsdup(const wchar_t *from)
{
    __elw_model();
    size_t count = __elw_h_wide_length(from, SIZE_MAX) + 1;
    wchar_t *to = __elw_m_malloc(count * sizeof *to);
    return to ? __elw_h_wide_copy(to, from, count) : NULL;
}

// The start of a text in narrow characters, where what is no ASCII is nothing that a number has.
enum { MOST = 256 };
static int __elw_h_narrow(char to[MOST], const wchar_t *from)
{
    size_t n = __elw_h_wide_length(from, MOST);
    if (n == MOST)
        return 0;
    for (size_t i = 0; i < n; i++) {
        unsigned ascii = (unsigned)from[i] < 128;
        to[i] = (char)(ascii * (unsigned)from[i] + (1 - ascii) * '?');
    }
    to[n] = 0;
    return 1;
}

#define NUMBER(result, name, narrow, parameter, argument)                                          \
    result __elw_m_##name(const wchar_t *text, wchar_t **end parameter)                            \
    {                                                                                              \
        char copy[MOST], *stop;                                                                    \
        __elw_model();                                                                             \
        if (!__elw_h_narrow(copy, text))                                                           \
            return name(text, end argument);                                                       \
        result value = __elw_m_##narrow(copy, &stop argument);                                     \
        if (end) {                                                                                 \
            __elw_writes(end, sizeof *end);                                                        \
            *end = (wchar_t *)text + (stop - copy);                                                \
        }                                                                                          \
        return value;                                                                              \
    }
#define COMMA ,
NUMBER(long, wcstol, strtol, COMMA int base, COMMA base)
NUMBER(unsigned long, wcstoul, strtoul, COMMA int base, COMMA base)
NUMBER(double, wcstod, strtod, , )

// Beyond ASCII the C locale has no letters; others do.
#define IN(c, low, high) ((unsigned)(c) - (low) <= (unsigned)((high) - (low)))
#define CHARACTER(result, name, type, value)                                                       \
    result __elw_m_##name(type c)                                                                  \
    {                                                                                              \
        return MB_CUR_MAX == 1 ? (result)(value) : name(c);                                        \
    }
CHARACTER(wint_t, towupper, wint_t, c - IN(c, 'a', 'z') * 32)
CHARACTER(wint_t, towlower, wint_t, c + IN(c, 'A', 'Z') * 32)
CHARACTER(int, iswdigit, wint_t, IN(c, '0', '9'))
CHARACTER(int, iswupper, wint_t, IN(c, 'A', 'Z'))
CHARACTER(int, iswlower, wint_t, IN(c, 'a', 'z'))
CHARACTER(int, iswalpha, wint_t, IN(c | 32, 'a', 'z'))
CHARACTER(int, iswalnum, wint_t, IN(c | 32, 'a', 'z') | IN(c, '0', '9'))
CHARACTER(int, iswspace, wint_t, (c == ' ') | IN(c, '\t', '\r'))
CHARACTER(int, iswblank, wint_t, (c == ' ') | (c == '\t'))
CHARACTER(int, iswcntrl, wint_t, (c < 32) | (c == 127))
CHARACTER(int, iswprint, wint_t, IN(c, 32, 126))
CHARACTER(int, iswgraph, wint_t, IN(c, 33, 126))
CHARACTER(int, iswxdigit, wint_t, IN(c, '0', '9') | IN(c | 32, 'a', 'f'))
CHARACTER(int, iswpunct, wint_t,
          IN(c, 33, 126) & !(IN(c | 32, 'a', 'z') | IN(c, '0', '9')))
CHARACTER(wint_t, btowc, int, ((unsigned)c < 128) * (unsigned)c + ((unsigned)c >= 128) * WEOF)
CHARACTER(int, wctob, wint_t, (int)((c < 128) * c) - (c >= 128))

ALSO(wcscoll, wcscmp);
ALSO(wmemmove, wmemcpy);
ALSO(wcstoll, wcstol);
ALSO(wcstoull, wcstoul);
