/* Characters, conversions of numbers, and getopt's relatives. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <arpa/inet.h>
#include <monetary.h>
#include <stdlib.h>
#include <string.h>

/* isalpha, isdigit, isspace */
static long class_of(char *s, size_t n)
{
    unsigned char c = (unsigned char)s[0];
    (void)n;
    return isalpha(c) ? 1 : isdigit(c) ? 2 : isspace(c) ? 3 : 4;
}

/* isupper, islower, ispunct */
static long case_of(char *s, size_t n)
{
    size_t i;
    long r = 0;
    for (i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        r = r * 4 + (isupper(c) ? 1 : islower(c) ? 2 : ispunct(c) ? 3 : 0);
    }
    return r & 0xffff;
}

/* isxdigit, iscntrl, isprint */
static long printable(char *s, size_t n)
{
    size_t i;
    long r = 0;
    for (i = 0; i < n && isprint((unsigned char)s[i]); i++)
        r += isxdigit((unsigned char)s[i]) ? 1 : 16;
    return i < n && iscntrl((unsigned char)s[i]) ? -r : r;
}

/* isalnum, isblank, isgraph */
static long masks(long v)
{
    int c = (int)(v & 255);
    return !!isalnum(c) + 2 * !!isblank(c) + 4 * !!isgraph(c);
}

/* isascii, toascii */
static long seven_bits(char *s, size_t n)
{
    int c = (unsigned char)s[n ? n - 1 : 0];
    return isascii(c) ? c : 1000 + toascii(c);
}

/* toupper */
static size_t upper(char *s, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        s[i] = (char)toupper((unsigned char)s[i]);
    return n;
}

/* tolower */
static size_t lower(char *s, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++)
        s[i] = (char)tolower((unsigned char)s[i]);
    return n;
}

/* atoi */
static long number(char *s, size_t n)
{
    (void)n;
    return atoi(s);
}

/* atol, atoll */
static long long_number(char *s, size_t n)
{
    (void)n;
    return atol(s) + (long)atoll(s);
}

/* strtol */
static long number_of_base(char *s, size_t n)
{
    char *end;
    long r = strtol(s, &end, 0);
    (void)n;
    return r % 10000 + 10000 * (end - s);
}

/* strtoul */
static long hexadecimal(char *s, size_t n)
{
    char *end;
    unsigned long r;
    (void)n;
    errno = 0;
    r = strtoul(s, &end, 16);
    return *end ? -1 : errno ? -2 : (long)(r & 0xffffff);
}

/* strtoll, strtoull */
static long two_numbers(char *s, size_t n)
{
    char *end;
    long long a = strtoll(s, &end, 8);
    (void)n;
    return (long)(a & 0xffff) + (long)(strtoull(end, NULL, 10) & 0xff);
}

/* strtoimax */
static long number_of_36(char *s, size_t n)
{
    (void)n;
    return (long)(strtoimax(s, NULL, 36) % 65537);
}

/* atof */
static long tenths(char *s, size_t n)
{
    double d = atof(s);
    (void)n;
    return d > -1e6 && d < 1e6 ? (long)(d * 10) : 77;
}

/* strtod */
static long real_number(char *s, size_t n)
{
    char *end;
    double d = strtod(s, &end);
    (void)n;
    return (long)(end - s) * 10 + (d > 0.5) + 2 * (d > 7);
}

/* strtof */
static long short_real(char *s, size_t n)
{
    float f = strtof(s, NULL);
    (void)n;
    return f == 5.0f ? 5 : f < 0 ? -1 : f != f ? 9 : 0;
}

/* strtold */
static long long_real(char *s, size_t n)
{
    long double d = strtold(s, NULL);
    (void)n;
    return d >= 3 && d < 4;
}

/* abs, labs, llabs */
static long absolute(long v)
{
    return abs((int)v) + labs(v - 5) + (long)llabs((long long)v + 5);
}

/* div */
static long quotient(long v)
{
    div_t d = div((int)v, 7);
    return d.quot * 8 + d.rem;
}

/* ldiv, lldiv */
static long long_quotient(long v)
{
    ldiv_t d = ldiv(v, 10);
    lldiv_t e = lldiv(v + 3, 3);
    return d.rem * 100 + (long)e.rem;
}

/* imaxdiv, imaxabs */
static long greatest_quotient(long v)
{
    imaxdiv_t d = imaxdiv(v, 13);
    return (long)imaxabs(d.rem);
}

/* htonl, ntohs */
static long byte_order(long v)
{
    return (long)(htonl((uint32_t)v) >> 8) + ntohs((uint16_t)v);
}

/* inet_addr */
static long address(char *s, size_t n)
{
    (void)n;
    return (long)(inet_addr(s) & 0xffffffffu);
}

/* inet_pton */
static long address_of_net(char *s, size_t n)
{
    char text[80] = "1.2.3.";
    struct in_addr in;
    (void)n;
    strcat(text, s);
    return inet_pton(AF_INET, text, &in) == 1 ? (long)(ntohl(in.s_addr) & 255) : -1;
}

/* inet_ntop */
static size_t address_text(char *s, long v)
{
    struct in_addr in;
    in.s_addr = htonl(0x0a000000u | ((uint32_t)v & 0xff));
    return inet_ntop(AF_INET, &in, s, 32) ? strlen(s) : 0;
}

/* inet_aton */
static long address_in_parts(char *s, size_t n)
{
    struct in_addr in;
    (void)n;
    return inet_aton(s, &in) ? (long)(ntohl(in.s_addr) & 0xffff) : -2;
}

/* a64l */
static long base_64(char *s, size_t n)
{
    (void)n;
    return a64l(s);
}

/* l64a */
static size_t in_base_64(char *s, long v)
{
    strcpy(s, l64a(v & 0x7fffffff));
    return strlen(s);
}

/* getsubopt */
static long suboptions(char *s, size_t n)
{
    char ro[] = "r", size[] = "s";
    char *const names[] = {ro, size, NULL};
    char *rest = s, *value;
    long r = 0;
    (void)n;
    while (*rest) {
        switch (getsubopt(&rest, names, &value)) {
        case 0:
            r += 1;
            break;
        case 1:
            r += 10 + (value ? value[0] : 0);
            break;
        default:
            r += 1000;
        }
    }
    return r;
}

/* getopt */
static long options(char *s, size_t n)
{
    char name[] = "program", last[] = "rest";
    char *argv[] = {name, s, last, NULL};
    long r = 0;
    int c;
    (void)n;
    optind = 0;
    opterr = 0;
    while ((c = getopt(3, argv, "abx:")) != -1)
        r = r * 8 + (c == 'a' ? 1 : c == 'b' ? 2 : c == 'x' ? 3 : 4);
    return r + 1000 * optind;
}

/* getopt_long */
static long long_options(char *s, size_t n)
{
    static const struct option all[] = {{"on", 0, NULL, 1}, {"of", 1, NULL, 2}, {NULL, 0, NULL, 0}};
    char name[] = "program", option[80] = "--o";
    char *argv[] = {name, option, NULL};
    (void)n;
    strcat(option, s);
    optind = 0;
    opterr = 0;
    return getopt_long(2, argv, "v", all, NULL);
}

/* rpmatch */
static long yes_or_no(char *s, size_t n)
{
    (void)n;
    return rpmatch(s);
}

/* ecvt_r, fcvt_r */
static long digits(long v)
{
    char a[32], b[32];
    int point, sign;
    ecvt_r((double)v / 3, 4, &point, &sign, a, sizeof a);
    fcvt_r((double)v, 1, &point, &sign, b, sizeof b);
    return atoi(a) + point * 100000 + (long)strlen(b);
}

/* gcvt */
static size_t real_text(char *s, long v)
{
    gcvt((double)v / 4, 5, s);
    return strlen(s);
}

/* strfmon */
static long money(long v)
{
    char out[64];
    return strfmon(out, sizeof out, "%!n", (double)v / 100) > 0 ? out[0] * 256 + out[1] : -1;
}

/* strfromd */
static long from_double(long v)
{
    char out[64];
    return strfromd(out, sizeof out, "%.2e", (double)v) * 256 + out[0];
}
