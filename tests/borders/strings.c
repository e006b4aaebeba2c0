/* Text and memory of the C library: <string.h> and its relatives. */
#include <argz.h>
#include <envz.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* strlen */
static long length(char *s, size_t n)
{
    return (long)(n - strlen(s)) * 100 + (long)strlen(s);
}

/* strnlen */
static long bounded_length(char *s, size_t n)
{
    return (long)strnlen(s, n < 2 ? n : 2);
}

/* strchr, strrchr */
static long first_and_last(char *s, size_t n)
{
    char *first = strchr(s, 'a');
    char *last = strrchr(s, 'a');
    (void)n;
    return first ? (long)(first - s) * 10 + (last - s) : -1;
}

/* strchrnul */
static long up_to_semicolon(char *s, size_t n)
{
    (void)n;
    return (long)(strchrnul(s, ';') - s);
}

/* index, rindex */
static long old_search(char *s, size_t n)
{
    (void)n;
    return (index(s, '/') ? 1 : 0) + (rindex(s, '.') ? 2 : 0);
}

/* memchr */
static long zero_byte(char *s, size_t n)
{
    char *p = (char *)memchr(s, 0x80, n);
    return p ? p - s : -5;
}

/* memrchr, rawmemchr */
static long from_both_ends(char *s, size_t n)
{
    char *last = (char *)memrchr(s, 'k', n);
    char *end = (char *)rawmemchr(s, '\0');
    return (last ? last - s : 50) + 100 * (end - s);
}

/* strstr */
static long needle(char *s, size_t n)
{
    char text[80] = "xx";
    (void)n;
    strcat(text, s);
    return strstr(text, "x7") ? 1 : strstr(text, "b") ? 2 : 0;
}

/* strcasestr */
static long needle_of_any_case(char *s, size_t n)
{
    char *p = strcasestr(s, "q");
    (void)n;
    return p ? 7 + (p - s) : 3;
}

/* memmem */
static long needle_in_memory(char *s, size_t n)
{
    char *p = (char *)memmem(s, n, "\x01", 1);
    return p ? p - s : 99;
}

/* strspn, strcspn */
static long spans(char *s, size_t n)
{
    (void)n;
    return (long)(strspn(s, "0123456789") * 16 + strcspn(s, ".,"));
}

/* strpbrk */
static long operator_in_text(char *s, size_t n)
{
    char *p = strpbrk(s, "+-*/");
    (void)n;
    return p ? *p : 0;
}

/* strcmp */
static long order(char *s, size_t n)
{
    int c = strcmp(s, "m");
    (void)n;
    return c < 0 ? -1 : c > 0;
}

/* strncmp */
static long prefix(char *s, size_t n)
{
    (void)n;
    return strncmp(s, "ab", 1) == 0;
}

/* strcasecmp, strncasecmp */
static long same_word(char *s, size_t n)
{
    (void)n;
    return (strcasecmp(s, "Q") == 0) + 2 * (strncasecmp(s, "On", 2) == 0);
}

/* memcmp */
static long compare_memory(char *s, size_t n)
{
    char other[4] = {'5', 0, 0, 0};
    int c = memcmp(s, other, n < 4 ? n : 4);
    return c < 0 ? 1 : c > 0 ? 2 : 3;
}

/* bcmp */
static long equal_memory(char *s, size_t n)
{
    return n > 0 && bcmp(s, "w", 1) == 0;
}

/* strcoll */
static long collate(char *s, size_t n)
{
    int c = strcoll(s, "B");
    (void)n;
    return c < 0 ? 10 : c > 0 ? 20 : 30;
}

/* strverscmp */
static long versions(char *s, size_t n)
{
    int c = strverscmp(s, "9");
    (void)n;
    return c < 0 ? 4 : c > 0 ? 5 : 6;
}

/* strxfrm */
static size_t transformed(char *s, size_t n)
{
    char out[80];
    size_t m = strxfrm(out, s, sizeof out);
    (void)n;
    if (m >= 64)
        return 0;
    memcpy(s, out, m + 1);
    return m;
}

/* strcpy, strcat */
static size_t quoted(char *s, size_t n)
{
    char out[80];
    strcpy(out, "<");
    strcat(out, s);
    strcat(out, ">");
    (void)n;
    strcpy(s, out);
    return strlen(s);
}

/* strncpy, strncat */
static size_t cut(char *s, size_t n)
{
    char out[8] = "";
    strncpy(out, s, 3);
    strncat(out, s, 2);
    (void)n;
    strcpy(s, out);
    return strlen(s);
}

/* stpcpy, stpncpy */
static size_t joined(char *s, size_t n)
{
    char out[80];
    char *p = stpcpy(out, s);
    *p++ = '-';
    p = stpncpy(p, s, 2);
    *p = '\0';
    (void)n;
    strcpy(s, out);
    return (size_t)(p - out);
}

/* memcpy, memmove */
static size_t shifted(char *s, size_t n)
{
    char copy[80];
    memcpy(copy, s, n);
    memmove(copy + 1, copy, n);
    copy[0] = '#';
    memcpy(s, copy, n + 1);
    s[n + 1] = '\0';
    return n + 1;
}

/* mempcpy, memset */
static size_t padded(char *s, size_t n)
{
    char out[80];
    char *end;
    memset(out, ' ', 4);
    end = (char *)mempcpy(out + 4, s, n);
    *end = '\0';
    memcpy(s, out, (size_t)(end - out) + 1);
    return (size_t)(end - out);
}

/* memccpy */
static size_t line_of(char *s, size_t n)
{
    char out[80] = "";
    char *end = (char *)memccpy(out, s, ',', n);
    size_t m = end ? (size_t)(end - out) : n;
    memcpy(s, out, m);
    s[m] = '\0';
    return m;
}

/* bcopy, bzero, explicit_bzero */
static size_t wiped(char *s, size_t n)
{
    char copy[80];
    bzero(copy, sizeof copy);
    bcopy(s, copy, n);
    explicit_bzero(s, n);
    bcopy(copy, s + 1, n);
    s[0] = 'z';
    s[n + 1] = '\0';
    return n + 1;
}

/* swab */
static size_t swapped(char *s, size_t n)
{
    char out[80];
    swab(s, out, (ssize_t)(n & ~(size_t)1));
    memcpy(s, out, n & ~(size_t)1);
    return n;
}

/* memfrob */
static size_t frobnicated(char *s, size_t n)
{
    memfrob(s, n);
    return n;
}

/* strdup, free */
static size_t kept(char *s, size_t n)
{
    char *copy = strdup(s);
    size_t m = copy ? strlen(copy) : 0;
    (void)n;
    if (m > 0)
        s[0] = copy[m - 1];
    free(copy);
    return strlen(s);
}

/* strndup */
static long first_two(char *s, size_t n)
{
    char *copy = strndup(s, 2);
    long r = copy ? (long)strlen(copy) * 1000 + copy[0] : 0;
    (void)n;
    free(copy);
    return r;
}

/* strtok */
static long words(char *s, size_t n)
{
    long count = 0;
    char *word;
    (void)n;
    for (word = strtok(s, " ,"); word; word = strtok(NULL, " ,"))
        count = count * 4 + (long)strlen(word);
    return count;
}

/* strtok_r */
static long fields(char *s, size_t n)
{
    long sum = 0;
    char *rest, *word;
    (void)n;
    for (word = strtok_r(s, ":=", &rest); word; word = strtok_r(NULL, ":=", &rest))
        sum += word[0];
    return sum;
}

/* strsep */
static long separated(char *s, size_t n)
{
    char *rest = s, *word;
    long count = 0;
    (void)n;
    while ((word = strsep(&rest, "|;")) != NULL)
        count += word[0] ? 10 : 1;
    return count;
}

/* argz_create_sep, argz_count, argz_next */
static long arguments_in_text(char *s, size_t n)
{
    char *argz = NULL;
    size_t length = 0;
    long r = 0;
    char *one = NULL;
    (void)n;
    if (argz_create_sep(s, ',', &argz, &length) != 0)
        return -1;
    r = (long)argz_count(argz, length) * 256;
    while (argz != NULL && (one = argz_next(argz, length, one)) != NULL)
        r += one[0] & 0xff;
    free(argz);
    return r;
}

/* argz_add, argz_stringify */
static size_t arguments_joined(char *s, size_t n)
{
    char *argz = NULL;
    size_t length = 0, m;
    (void)n;
    if (argz_add(&argz, &length, s) != 0 || argz_add(&argz, &length, "x") != 0)
        return n;
    argz_stringify(argz, length, '+');
    m = strlen(argz);
    memcpy(s, argz, m + 1);
    free(argz);
    return m;
}

/* envz_add, envz_get */
static long environment_in_text(char *s, size_t n)
{
    char *envz = NULL, *value;
    size_t length = 0;
    long r;
    (void)n;
    if (strchr(s, '=') || envz_add(&envz, &length, "k", s) != 0)
        return -3;
    value = envz_get(envz, length, "k");
    r = value ? value[0] : -1;
    free(envz);
    return r;
}

/* basename */
static long base_name(char *s, size_t n)
{
    (void)n;
    return basename(s)[0] + 256 * (basename(s) != s);
}

/* strerror */
static long error_text(long v)
{
    const char *text = strerror((int)(v & 127));
    return (long)strlen(text) * 256 + text[0];
}

/* strsignal */
static long signal_text(long v)
{
    const char *text = strsignal((int)(v & 31));
    return (long)strlen(text);
}

/* ffs, ffsl */
static long lowest_bits(long v)
{
    return ffs((int)v) * 100 + ffsl(v * 8);
}
