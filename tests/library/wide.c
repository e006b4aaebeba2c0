// Wide characters and text, what is given a locale, and quotients with their remainders.
#define _GNU_SOURCE
#include "check.h"
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static void wide_word(wchar_t *to, unsigned most, const wchar_t *alphabet, unsigned letters)
{
    unsigned n = pick(most + 1);
    for (unsigned i = 0; i < n; i++)
        to[i] = alphabet[pick(letters)];
    to[n] = 0;
}

static void show(const wchar_t *text)
{
    for (; *text; text++)
        printf("%x.", (unsigned)*text);
    printf(" ");
}

static void texts(void)
{
    static const wchar_t letters[] = {L'a', L'b', L'A', 0x80, 0x20ac, 0x7fffffff, (wchar_t)-1};
    wchar_t a[20], b[10], c[40];
    wide_word(a, 9, letters, 7);
    wide_word(b, 4, letters, 3);
    wchar_t x = letters[pick(7)];
    size_t n = pick(6);
    printf("%zu %zu %d %d %d %d ", wcslen(a), wcsnlen(a, n), sign(wcscmp(a, b)),
           sign(wcsncmp(a, b, n)), sign(wmemcmp(a, b, n < wcslen(b) ? n : 0)), sign(wcscoll(a, b)));
    printf("%ld %ld %ld %ld ", off(wcschr(a, x), a), off(wcsrchr(a, x), a),
           off(wmemchr(a, x, wcslen(a)), a), off(wcsstr(a, b), a));
    wmemset(c, L'.', 39);
    c[39] = 0;
    wcsncpy(c, a, n);
    show(c);
    show(wcscat(wcscpy(c, a), b));
    wmemmove(c + 1, c, wcslen(c) + 1);
    show(c);
    wchar_t *copy = wcsdup(b);
    show(copy);
    free(copy);
}

static void numbers(void)
{
    static const wchar_t letters[] = L" -+0x12aZ.e\x20ac";
    wchar_t text[24], *end;
    wide_word(text, 9, letters, 13);
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    int base = bases[pick(6)];
    printf("%ld ", wcstol(text, &end, base));
    printf("%ld ", off(end, text));
    printf("%lu ", wcstoul(text, &end, base));
    printf("%ld ", off(end, text));
    printf("%lld %llu ", wcstoll(text, NULL, base), wcstoull(text, NULL, base));
    printf("%a ", wcstod(text, &end));
    printf("%ld ", off(end, text));
}

static void characters(void)
{
    wint_t c = pick(2) ? pick(260) : (wint_t)(0x20a0 + pick(40));
    printf("%x: %x %x ", (unsigned)c, (unsigned)towupper(c), (unsigned)towlower(c));
    printf("%d%d%d%d%d%d%d%d%d%d%d%d ", !!iswdigit(c), !!iswupper(c), !!iswlower(c), !!iswalpha(c),
           !!iswalnum(c), !!iswspace(c), !!iswblank(c), !!iswcntrl(c), !!iswprint(c), !!iswgraph(c),
           !!iswxdigit(c), !!iswpunct(c));
    printf("%x %d ", (unsigned)btowc((int)pick(258) - 1), wctob(c));
}

static void located(locale_t locale)
{
    char a[10], b[10], out[12], *end;
    word(a, 8, LETTERS("abAB-1."));
    word(b, 8, LETTERS("abAB-1."));
    memset(out, '.', sizeof out);
    size_t room = pick(11);
    printf("%d %zu ", sign(strcoll_l(a, b, locale)), strxfrm_l(out, a, room, locale));
    printf("%.*s ", (int)(strlen(a) < room ? strlen(a) : 0), out);
    printf("%a ", strtod_l(a, &end, locale));
    printf("%ld %a ", off(end, a), (double)strtof_l(b, NULL, locale));
    wint_t c = pick(300);
    printf("%x %x ", (unsigned)towupper_l(c, locale), (unsigned)towlower_l(c, locale));
}

static void quotients(void)
{
    int a = (int)pick(2000) - 1000, b = (int)pick(20) + 1;
    b = pick(2) ? b : -b;
    div_t d = div(a, b);
    ldiv_t l = ldiv(a * 1000003L, b);
    lldiv_t ll = lldiv(a * 10000000019LL, b);
    imaxdiv_t m = imaxdiv(a, b);
    printf("%d %d %ld %ld %lld %lld %jd %jd\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem, m.quot,
           m.rem);
}

int main(void)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", 0);
    for (int i = 0; i < 3000; i++) {
        texts();
        numbers();
        characters();
        located(locale);
        quotients();
    }
    freelocale(locale);
    return 0;
}
