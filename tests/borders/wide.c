/* Wide and multibyte text, locales and character sets. */
#include <iconv.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

// A file that goes with the program. The system's own place for such files may be closed to it.
static FILE *border_wide_file(void)
{
    FILE *f = fopen("border.tmp", "w+");
    remove("border.tmp");
    return f;
}

static void border_widen(wchar_t *w, const char *s, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        w[i] = (wchar_t)(unsigned char)s[i];
    w[n] = L'\0';
}

/* wcslen */
static long wide_length(char *s, size_t n)
{
    wchar_t w[80];
    border_widen(w, s, n);
    return (long)wcslen(w);
}

/* wcscmp, wcsncmp */
static long wide_order(char *s, size_t n)
{
    wchar_t w[80];
    int a;
    border_widen(w, s, n);
    a = wcscmp(w, L"k");
    return (a > 0) - (a < 0) + 10 * (wcsncmp(w, L"5x", 1) == 0);
}

/* wcschr, wcsrchr */
static long wide_place(char *s, size_t n)
{
    wchar_t w[80], *p, *q;
    border_widen(w, s, n);
    p = wcschr(w, L'e');
    q = wcsrchr(w, L'e');
    return p ? (p - w) + 10 * (q - w) : -1;
}

/* wcsstr */
static long wide_needle(char *s, size_t n)
{
    wchar_t w[80];
    border_widen(w, s, n);
    return wcsstr(w, L"z") != NULL;
}

/* wcspbrk, wcsspn, wcscspn */
static long wide_spans(char *s, size_t n)
{
    wchar_t w[80];
    border_widen(w, s, n);
    return (wcspbrk(w, L"!?") ? 100 : 0) + (long)wcsspn(w, L"01") * 10 + (long)wcscspn(w, L"-");
}

/* wcstok */
static long wide_words(char *s, size_t n)
{
    wchar_t w[80], *rest, *word;
    long r = 0;
    border_widen(w, s, n);
    for (word = wcstok(w, L" ,", &rest); word; word = wcstok(NULL, L" ,", &rest))
        r = r * 5 + (long)wcslen(word);
    return r;
}

/* wcstol */
static long wide_number(char *s, size_t n)
{
    wchar_t w[80];
    border_widen(w, s, n);
    return wcstol(w, NULL, 10);
}

/* wcstoul, wcstod */
static long wide_real(char *s, size_t n)
{
    wchar_t w[80];
    double d;
    border_widen(w, s, n);
    d = wcstod(w, NULL);
    return (long)(wcstoul(w, NULL, 16) & 0xff) + (d > 2.5 ? 1000 : 0);
}

/* wcscpy, wcscat, wcsncpy */
static long wide_copy(char *s, size_t n)
{
    wchar_t w[80], v[200], last[4];
    border_widen(w, s, n);
    wcscpy(v, L"(");
    wcscat(v, w);
    wcscat(v, L")");
    wcsncpy(last, v, 3);
    return (long)(last[1] * 3 + (last[2] != 0)) + (long)wcslen(v);
}

/* wmemcmp, wmemchr, wmemset */
static long wide_memory(char *s, size_t n)
{
    wchar_t w[80], v[8];
    border_widen(w, s, n);
    wmemset(v, L'7', 8);
    return (wmemcmp(w, v, n < 2 ? n : 2) == 0) + 2 * (wmemchr(w, L'p', n) != NULL);
}

/* wcsdup */
static long wide_duplicate(char *s, size_t n)
{
    wchar_t w[80], *copy;
    long r;
    border_widen(w, s, n);
    copy = wcsdup(w);
    r = copy ? (long)copy[0] : -1;
    free(copy);
    return r;
}

/* wcscasecmp */
static long wide_same_word(char *s, size_t n)
{
    wchar_t w[80];
    border_widen(w, s, n);
    return wcscasecmp(w, L"Y") == 0;
}

/* towupper, towlower */
static long wide_case(long v)
{
    wint_t c = (wint_t)(v & 255);
    return (long)towupper(c) + 2 * (long)towlower(c);
}

/* iswalpha, iswdigit, iswspace */
static long wide_class(long v)
{
    wint_t c = (wint_t)(v & 255);
    return iswalpha(c) ? 1 : iswdigit(c) ? 2 : iswspace(c) ? 3 : 0;
}

/* iswpunct, iswxdigit, iswupper */
static long more_wide_classes(char *s, size_t n)
{
    wint_t c = (wint_t)(unsigned char)s[0];
    (void)n;
    return !!iswpunct(c) + 2 * !!iswxdigit(c) + 4 * !!iswupper(c);
}

/* wctype, iswctype */
static long named_class(long v)
{
    return iswctype((wint_t)(v & 255), wctype("alnum")) != 0;
}

/* wctrans, towctrans */
static long named_mapping(long v)
{
    return (long)towctrans((wint_t)(v & 127), wctrans("toupper"));
}

/* btowc, wctob */
static long byte_to_wide(long v)
{
    wint_t w = btowc((int)(v & 255));
    return w == WEOF ? -1 : wctob(w) + 1;
}

/* mbstowcs */
static long of_bytes(char *s, size_t n)
{
    wchar_t w[80];
    size_t m = mbstowcs(w, s, 79);
    (void)n;
    return m == (size_t)-1 ? -1 : m ? (long)w[0] : 0;
}

/* mbtowc, mblen */
static long first_wide(char *s, size_t n)
{
    wchar_t w = 0;
    int m = mbtowc(&w, s, n), k = mblen(s, n);
    return m < 0 ? -1 : (long)w * 4 + k;
}

/* setlocale, mbrtowc */
static long of_utf8(char *s, size_t n)
{
    mbstate_t state;
    wchar_t w = 0;
    size_t m;
    memset(&state, 0, sizeof state);
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        return -9;
    m = mbrtowc(&w, s, n, &state);
    setlocale(LC_CTYPE, "C");
    return m == (size_t)-1 ? -1 : m == (size_t)-2 ? -2 : (long)w;
}

/* wcstombs */
static size_t to_bytes(char *s, size_t n)
{
    wchar_t w[80];
    char out[200];
    size_t m, i;
    for (i = 0; i < n; i++)
        w[i] = (wchar_t)(s[i] & 127) ^ 1;
    w[n] = L'\0';
    m = wcstombs(out, w, 60);
    if (m == (size_t)-1 || m >= 60)
        return n;
    memcpy(s, out, m + 1);
    return m;
}

/* wctomb, wcrtomb */
static size_t one_to_bytes(char *s, long v)
{
    char out[MB_LEN_MAX];
    mbstate_t state;
    int m = wctomb(out, (wchar_t)(v & 127));
    if (m < 1)
        return 0;
    s[0] = out[0];
    memset(&state, 0, sizeof state);
    if (wcrtomb(out, (wchar_t)((v >> 1) & 127), &state) != 1)
        return 0;
    s[1] = out[0];
    s[2] = '\0';
    return 2;
}

/* mbsrtowcs, wcsrtombs */
static size_t there_and_back(char *s, size_t n)
{
    wchar_t w[80];
    mbstate_t state;
    const char *from = s;
    const wchar_t *back = w;
    char out[80];
    size_t m;
    memset(&state, 0, sizeof state);
    m = mbsrtowcs(w, &from, 79, &state);
    if (m == (size_t)-1)
        return n;
    memset(&state, 0, sizeof state);
    m = wcsrtombs(out, &back, 79, &state);
    if (m == (size_t)-1)
        return n;
    memcpy(s, out, m + 1);
    return m;
}

/* mbrtoc16, c16rtomb */
static long sixteen_bits(char *s, size_t n)
{
    mbstate_t state;
    char16_t c = 0;
    char out[MB_LEN_MAX];
    size_t m;
    memset(&state, 0, sizeof state);
    m = mbrtoc16(&c, s, n, &state);
    if (m > n)
        return -1;
    memset(&state, 0, sizeof state);
    return (long)c + 1000 * (long)c16rtomb(out, c, &state);
}

/* swprintf */
static long wide_printed(long v)
{
    wchar_t w[40];
    int m = swprintf(w, 40, L"%ld/%lx", v, (unsigned long)v);
    return m < 0 ? -1 : m * 100 + (long)(w[m - 1] & 31);
}

/* swscanf */
static long wide_scanned(char *s, size_t n)
{
    wchar_t w[80];
    int x = -1;
    border_widen(w, s, n);
    return swscanf(w, L"%d", &x) == 1 ? x : -5;
}

/* wcsftime */
static long wide_time(long v)
{
    struct tm tm;
    wchar_t w[40];
    memset(&tm, 0, sizeof tm);
    tm.tm_mday = 1;
    tm.tm_wday = (int)(v & 3);
    return (long)wcsftime(w, 40, L"%A", &tm) * 256 + (long)w[0];
}

/* wcwidth, wcswidth */
static long columns(char *s, size_t n)
{
    wchar_t w[80];
    border_widen(w, s, n);
    return wcwidth(w[0]) + 10 * wcswidth(w, n);
}

/* open_wmemstream, fputwc */
static long wide_stream(char *s, size_t n)
{
    wchar_t *out = NULL;
    size_t m = 0;
    long r;
    FILE *f = open_wmemstream(&out, &m);
    (void)n;
    if (!f)
        return -1;
    fputwc((wchar_t)(s[0] & 127), f);
    fclose(f);
    r = (long)m * 256 + (long)(out ? out[0] : 0);
    free(out);
    return r;
}

/* fputws, fgetwc */
static long wide_file(char *s, size_t n)
{
    wchar_t w[80];
    long r;
    FILE *f = border_wide_file();
    if (!f)
        return -1;
    w[0] = (wchar_t)(s[0] & 127);
    w[1] = L'e';
    w[2] = L'\0';
    (void)n;
    fputws(w, f);
    rewind(f);
    r = (long)fgetwc(f);
    fclose(f);
    return r;
}

/* iconv_open, iconv, iconv_close */
static size_t latin_to_utf8(char *s, size_t n)
{
    char copy[80], out[200];
    char *in = copy, *p = out;
    size_t left = n, room = sizeof out;
    iconv_t cd = iconv_open("UTF-8", "ISO-8859-1");
    if (cd == (iconv_t)-1)
        return n;
    memcpy(copy, s, n);
    iconv(cd, &in, &left, &p, &room);
    iconv_close(cd);
    n = sizeof out - room;
    if (n > 60)
        n = 60;
    memcpy(s, out, n);
    s[n] = '\0';
    return n;
}

/* iconv */
static long utf8_to_wide(char *s, size_t n)
{
    unsigned out[80];
    char *in = s, *p = (char *)out;
    size_t left = n, room = sizeof out, m;
    iconv_t cd = iconv_open("UCS-4LE", "UTF-8");
    if (cd == (iconv_t)-1)
        return -9;
    out[0] = 0;
    m = iconv(cd, &in, &left, &p, &room);
    iconv_close(cd);
    return m == (size_t)-1 ? -1 : (long)out[0];
}

/* setlocale */
static long locale_by_name(char *s, size_t n)
{
    long r;
    (void)n;
    r = s[0] && setlocale(LC_NUMERIC, s) != NULL;
    setlocale(LC_NUMERIC, "C");
    return r;
}

/* newlocale, towupper_l, freelocale */
static long locale_of_its_own(long v)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    long r;
    if (c == (locale_t)0)
        return -1;
    r = (long)towupper_l((wint_t)(v & 127), c);
    freelocale(c);
    return r;
}

/* nl_langinfo */
static long name_of_a_day(long v)
{
    const char *text = nl_langinfo(DAY_1 + (int)(v & 3));
    return (long)strlen(text) * 256 + text[1];
}

/* localeconv */
static long decimal_point(char *s, size_t n)
{
    (void)n;
    return s[0] == localeconv()->decimal_point[0];
}
