// Functions that are given a locale: followed where it is the C locale.
#include "models.h"
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int __elw_m_strcmp(const char *a, const char *b);
size_t __elw_m_strxfrm(char *to, const char *from, size_t size);
double __elw_m_strtod(const char *text, char **end);
float __elw_m_strtof(const char *text, char **end);
int __elw_m_wcscmp(const wchar_t *a, const wchar_t *b);
wint_t __elw_m_towlower(wint_t c);
wint_t __elw_m_towupper(wint_t c);

static int __elw_h_is_c(locale_t locale, int category)
{
    const char *name =
        locale == LC_GLOBAL_LOCALE ? setlocale(category, NULL) : locale->__names[category];
    return name && (!strcmp(name, "C") || !strcmp(name, "POSIX"));
}

// `name` of the C library, by both of its names, is `model` in the C locale.
#define BOTH(result, name, model, category, parameters, arguments, located)                        \
    result __##name parameters;                                                                    \
    result __elw_m___##name parameters                                                             \
    {                                                                                              \
        __elw_model();                                                                             \
        return __elw_h_is_c(locale, category) ? __elw_m_##model arguments : __##name located;      \
    }                                                                                              \
    ALSO(name, __##name);

BOTH(int, strcoll_l, strcmp, LC_COLLATE, (const char *a, const char *b, locale_t locale), (a, b),
     (a, b, locale))
BOTH(size_t, strxfrm_l, strxfrm, LC_COLLATE,
     (char *to, const char *from, size_t size, locale_t locale), (to, from, size),
     (to, from, size, locale))
BOTH(double, strtod_l, strtod, LC_NUMERIC, (const char *text, char **end, locale_t locale),
     (text, end), (text, end, locale))
BOTH(float, strtof_l, strtof, LC_NUMERIC, (const char *text, char **end, locale_t locale),
     (text, end), (text, end, locale))
BOTH(int, wcscoll_l, wcscmp, LC_COLLATE, (const wchar_t *a, const wchar_t *b, locale_t locale),
     (a, b), (a, b, locale))
BOTH(wint_t, towlower_l, towlower, LC_CTYPE, (wint_t c, locale_t locale), (c), (c, locale))
BOTH(wint_t, towupper_l, towupper, LC_CTYPE, (wint_t c, locale_t locale), (c), (c, locale))
