// Numbers from text and to text.
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void whole(const char *s, int base)
{
    char *end = (char *)s;
    errno = 0;
    long l = strtol(s, &end, base);
    printf("%ld %d %ld ", l, errno, off(end, s));
    errno = 0;
    unsigned long u = strtoul(s, &end, base);
    printf("%lu %d %ld ", u, errno, off(end, s));
    errno = 0;
    printf("%lld %llu %jd %d\n", strtoll(s, NULL, base), strtoull(s, &end, base),
           strtoimax(s, &end, base), errno);
}

static void real(const char *s)
{
    char *end = (char *)s;
    errno = 0;
    double d = strtod(s, &end);
    printf("%a %d %ld ", d, errno, off(end, s));
    errno = 0;
    float f = strtof(s, &end);
    printf("%a %d %ld ", f, errno, off(end, s));
    long double l = strtold(s, &end);
    printf("%La %ld %a\n", l, off(end, s), atof(s));
}

static void into(const char *format, ...)
{
    char text[200];
    va_list list;
    for (size_t room = 0; room < 60; room += 19) {
        memset(text, '~', sizeof text);
        va_start(list, format);
        int n = vsnprintf(text, room, format, list);
        va_end(list);
        printf("%d %.60s|", n, text);
    }
    va_start(list, format);
    char *block;
    int n = vasprintf(&block, format, list);
    va_end(list);
    printf("%d %s\n", n, block);
    free(block);
}

static void flags(char *to)
{
    for (unsigned i = pick(3); i; i--)
        *to++ = "-+ #0"[pick(5)];
    if (pick(2))
        to += sprintf(to, "%u", pick(12));
    if (pick(3) == 0)
        to += sprintf(to, ".%u", pick(9));
    *to = 0;
}

static void printed(void)
{
    char f[64], spec[16], text[20];
    flags(spec);
    word(text, 14, LETTERS("abc%"));
    unsigned long value = pick(4) ? pick(300) : state;
    const char *sizes[] = {"", "h", "hh", "l", "ll", "z", "j", "t"};
    const char *size = sizes[pick(8)];
    sprintf(f, "<%%%s%s%c>", spec, size, "diuxXo"[pick(6)]);
    if (strchr("lzjt", size[0]) && size[0])
        into(f, value);
    else
        into(f, (int)value);
    sprintf(f, "[%%%ss|%%*c|%%-.*s|%%%%]", spec);
    into(f, text, (int)pick(7) - 3, 'x', (int)pick(9) - 2, text);
    sprintf(f, "%%%s%c %%p %%p", spec, "eEfFgGaA"[pick(8)]);
    into(f, (double)(int)pick(100000) / 64, (void *)(value & 0xffff), (void *)0);
    int n = 0;
    snprintf(f, sizeof f, "abc%n%s", &n, (char *)0);
    printf("%d %s\n", n, f);
}

int main(void)
{
    const char *fixed[] = {"",        "-",       "+",      " \t\n\v\f\r 7", "0x",      "0xg",
                           "-0x1F",   "00",      "08",     "0b1",          "zZ",      "1_000",
                           "9223372036854775807", "9223372036854775808",   "-9223372036854775808",
                           "-9223372036854775809", "18446744073709551615", "18446744073709551616",
                           "-18446744073709551615", "99999999999999999999999", "0x8000000000000000",
                           "0000000000000000000000000000000000017", "+-3", "- 3", "\xa0" "5"};
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++)
        for (int base = -1; base <= 37; base++)
            whole(fixed[i], base);
    for (int i = 0; i < 4000; i++) {
        char s[64];
        word(s, 24, LETTERS("0123456789-+ xXaz"));
        whole(s, (int[]){0, 2, 8, 10, 16, 36}[pick(6)]);
        printf("%d %ld %lld\n", atoi(s), atol(s), atoll(s));
    }
    const char *numbers[] = {"inf", "-INFINITY", "infinit", "nan", "NaN(12a_)", "nan(", "0x1.8p3",
                             "0x.p1", "0x", "0x1p", ".", "1.", ".5", "1e5", "1e+", "1e-3x", "1e400",
                             "1e-400", "123456789012345678", "0.1", "9007199254740993", "3.4e38",
                             "1e22", "1e23", "16777217", "1.00000005960464477539", "-0", "-0.0e5"};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        real(numbers[i]);
    for (int i = 0; i < 4000; i++) {
        char s[64];
        word(s, pick(2) ? 8 : 24, LETTERS("0123456789012345678900..e-+ xpn"));
        real(s);
    }
    for (int i = 0; i < 2500; i++)
        printed();
    return 0;
}
