// Searching in strings and memory.
#include "models.h"
#include <search.h>

size_t __elw_m_strlen(const char *s)
{
    __elw_model();
    __elw_reads_text(s, SIZE_MAX);
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t __elw_m_strnlen(const char *s, size_t limit)
{
    __elw_model();
    __elw_reads_text(s, limit);
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

char *__elw_m_strchr(const char *s, int c)
{
    __elw_model();
    __elw_reads_until(s, c);
    for (;; s++) {
        if (*s == (char)c)
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

char *__elw_m_strchrnul(const char *s, int c)
{
    __elw_model();
    __elw_reads_until(s, c);
    while (*s != (char)c && *s)
        s++;
    return (char *)s;
}

char *__elw_m_strrchr(const char *s, int c)
{
    __elw_model();
    __elw_reads_text(s, SIZE_MAX);
    const char *last = NULL;
    for (;; s++) {
        if (*s == (char)c)
            last = s;
        if (!*s)
            return (char *)last;
    }
}

void *__elw_m_memchr(const void *at, int c, size_t n)
{
    __elw_model();
    const byte *s = at;
    __elw_begins();
    for (; n && *s != (byte)c; n--)
        s++;
    __elw_reads(at, (size_t)(s - (const byte *)at) + !!n);
    __elw_ends();
    return n ? (void *)s : NULL;
}

void *__elw_m_rawmemchr(const void *at, int c)
{
    __elw_model();
    const byte *s = at;
    __elw_begins();
    while (*s != (byte)c)
        s++;
    __elw_reads(at, (size_t)(s - (const byte *)at) + 1);
    __elw_ends();
    return (void *)s;
}

void *__elw_m_memrchr(const void *at, int c, size_t n)
{
    __elw_model();
    __elw_reads(at, n);
    const byte *s = at;
    while (n--)
        if (s[n] == (byte)c)
            return (void *)(s + n);
    return NULL;
}

static inline int __elw_h_lower(int c)
{
    return c + (((unsigned)c - 'A') < 26) * 32;
}

char *__elw_m_strstr(const char *s, const char *wanted)
{
    __elw_model();
    __elw_reads_text(s, SIZE_MAX);
    __elw_reads_text(wanted, SIZE_MAX);
    for (;; s++) {
        size_t i = 0;
        while (wanted[i] && s[i] == wanted[i])
            i++;
        if (!wanted[i])
            return (char *)s;
        if (!s[i])
            return NULL;
    }
}

char *__elw_m_strcasestr(const char *s, const char *wanted)
{
    __elw_model();
    __elw_reads_text(s, SIZE_MAX);
    __elw_reads_text(wanted, SIZE_MAX);
    for (;; s++) {
        size_t i = 0;
        while (wanted[i] && __elw_h_lower((byte)s[i]) == __elw_h_lower((byte)wanted[i]))
            i++;
        if (!wanted[i])
            return (char *)s;
        if (!s[i])
            return NULL;
    }
}

void *__elw_m_memmem(const void *in, size_t size, const void *wanted, size_t length)
{
    __elw_model();
    __elw_reads(in, size);
    __elw_reads(wanted, length);
    const byte *s = in, *w = wanted;
    for (; size >= length; s++, size--) {
        size_t i = 0;
        while (i < length && s[i] == w[i])
            i++;
        if (i == length)
            return (void *)s;
    }
    return NULL;
}

// Is `c` one of the characters of `set`? One term where the set is not an input, so that a
// scanner takes one choice for each character and not one for each member of its set.
static int __elw_h_member(char c, const char *set)
{
    int found = 0;
    for (; *set; set++)
        found |= c == *set;
    return found;
}

static size_t __elw_h_span(const char *s, const char *set, int wanted)
{
    size_t n = 0;
    while (s[n] && __elw_h_member(s[n], set) == wanted)
        n++;
    return n;
}

size_t __elw_m_strspn(const char *s, const char *accept)
{
    __elw_model();
    __elw_reads_text(s, SIZE_MAX);
    return __elw_h_span(s, accept, 1);
}

size_t __elw_m_strcspn(const char *s, const char *reject)
{
    __elw_model();
    __elw_reads_text(s, SIZE_MAX);
    return __elw_h_span(s, reject, 0);
}

char *__elw_m_strpbrk(const char *s, const char *accept)
{
    __elw_model();
    __elw_reads_text(s, SIZE_MAX);
    s += __elw_h_span(s, accept, 0);
    return *s ? (char *)s : NULL;
}

static char *__elw_h_next_token(char *s, const char *delimiters, char **rest)
{
    if (!*s) {
        *rest = s;
        return NULL;
    }
    s += __elw_h_span(s, delimiters, 1);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + __elw_h_span(s, delimiters, 0);
    if (!*end) {
        *rest = end;
        return s;
    }
    __elw_writes(end, 1);
    *end = 0;
    *rest = end + 1;
    return s;
}

// Which text the words are in is said, but not where the next one begins.
static char *__elw_h_token(char *s, const char *delimiters, char **rest)
{
    if (!s)
        s = *rest;
    char *token = __elw_h_next_token(s, delimiters, rest);
    __elw_reads(s, (size_t)(*rest - s) + !**rest);
    return token;
}

char *__elw_m_strtok_r(char *s, const char *delimiters, char **rest)
{
    __elw_model();
    __elw_begins();
    __elw_reads(rest, s ? 0 : sizeof *rest);
    char *token = __elw_h_token(s, delimiters, rest);
    __elw_writes(rest, sizeof *rest);
    __elw_ends();
    return token;
}

char *__elw_m_strtok(char *s, const char *delimiters)
{
    __elw_model();
    __elw_goes_on();
    __elw_begins();
    char *token = __elw_h_token(s, delimiters, &__elw_remembered.tokens);
    __elw_ends();
    return token;
}

char *__elw_m_strsep(char **from, const char *delimiters)
{
    __elw_model();
    __elw_begins();
    __elw_reads(from, sizeof *from);
    char *start = *from;
    if (start) {
        char *end = start + __elw_h_span(start, delimiters, 0);
        __elw_reads(start, (size_t)(end - start) + 1);
        __elw_writes(from, sizeof *from);
        if (*end) {
            __elw_writes(end, 1);
            *end = 0;
            *from = end + 1;
        } else {
            *from = NULL;
        }
    }
    __elw_ends();
    return start;
}

ALSO(index, strchr);
ALSO(rindex, strrchr);

// What is in a table of the C library's is compared where nobody follows it, whenever it was put there.
LOSES_INPUT(ENTRY *, hsearch, (ENTRY item, ACTION action), (item, action))
LOSES_INPUT(int, hsearch_r, (ENTRY item, ACTION action, ENTRY **to, struct hsearch_data *table),
            (item, action, to, table))
