// Copying strings and memory, with the variants that know the size of the target.
#include "models.h"

static size_t __elw_h_length(const char *s, size_t limit)
{
    __elw_reads_text(s, limit);
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

// Copies `n` bytes and ends them with a NUL; the address of the NUL.
static char *__elw_h_put(char *to, const char *from, size_t n)
{
    __elw_m_memmove(to, from, n);
    __elw_writes(to + n, 1);
    to[n] = 0;
    return to + n;
}

static void __elw_h_check(size_t wanted, size_t there)
{
    if (wanted > there)
        __chk_fail();
}

char *__elw_m_strcpy(char *to, const char *from)
{
    __elw_model();
    __elw_h_put(to, from, __elw_h_length(from, SIZE_MAX));
    return to;
}

char *__elw_m___strcpy_chk(char *to, const char *from, size_t there)
{
    __elw_model();
    size_t n = __elw_h_length(from, SIZE_MAX);
    __elw_h_check(n + 1, there);
    __elw_h_put(to, from, n);
    return to;
}

char *__elw_m_stpcpy(char *to, const char *from)
{
    __elw_model();
    return __elw_h_put(to, from, __elw_h_length(from, SIZE_MAX));
}

char *__elw_m___stpcpy_chk(char *to, const char *from, size_t there)
{
    __elw_model();
    size_t n = __elw_h_length(from, SIZE_MAX);
    __elw_h_check(n + 1, there);
    return __elw_h_put(to, from, n);
}

static char *__elw_h_strncpy(char *to, const char *from, size_t size)
{
    size_t n = __elw_h_length(from, size);
    __elw_m_memmove(to, from, n);
    __elw_m_memset(to + n, 0, size - n);
    return to + n;
}

char *__elw_m_strncpy(char *to, const char *from, size_t size)
{
    __elw_model();
    __elw_h_strncpy(to, from, size);
    return to;
}

char *__elw_m___strncpy_chk(char *to, const char *from, size_t size, size_t there)
{
    __elw_model();
    __elw_h_check(size, there);
    __elw_h_strncpy(to, from, size);
    return to;
}

char *__elw_m_stpncpy(char *to, const char *from, size_t size)
{
    __elw_model();
    return __elw_h_strncpy(to, from, size);
}

char *__elw_m___stpncpy_chk(char *to, const char *from, size_t size, size_t there)
{
    __elw_model();
    __elw_h_check(size, there);
    return __elw_h_strncpy(to, from, size);
}

static char *__elw_h_append(char *to, const char *from, size_t limit, size_t there)
{
    size_t old = __elw_h_length(to, SIZE_MAX);
    size_t n = __elw_h_length(from, limit);
    __elw_h_check(old + n + 1, there);
    __elw_h_put(to + old, from, n);
    return to;
}

char *__elw_m_strcat(char *to, const char *from)
{
    __elw_model();
    return __elw_h_append(to, from, SIZE_MAX, SIZE_MAX);
}

char *__elw_m___strcat_chk(char *to, const char *from, size_t there)
{
    __elw_model();
    return __elw_h_append(to, from, SIZE_MAX, there);
}

char *__elw_m_strncat(char *to, const char *from, size_t limit)
{
    __elw_model();
    return __elw_h_append(to, from, limit, SIZE_MAX);
}

char *__elw_m___strncat_chk(char *to, const char *from, size_t limit, size_t there)
{
    __elw_model();
    return __elw_h_append(to, from, limit, there);
}

static char *__elw_h_duplicate(const char *s, size_t limit)
{
    size_t n = __elw_h_length(s, limit);
    char *copy = __elw_m_malloc(n + 1);
    if (copy)
        __elw_h_put(copy, s, n);
    return copy;
}

char *__elw_m_strdup(const char *s)
{
    __elw_model();
    return __elw_h_duplicate(s, SIZE_MAX);
}

char *__elw_m_strndup(const char *s, size_t limit)
{
    __elw_model();
    return __elw_h_duplicate(s, limit);
}

size_t __elw_m_strxfrm(char *to, const char *from, size_t size)
{
    __elw_model();
    size_t n = __elw_h_length(from, SIZE_MAX);
    if (size)
        __elw_h_strncpy(to, from, n < size ? n + 1 : size);
    return n;
}

void *__elw_m_mempcpy(void *to, const void *from, size_t n)
{
    __elw_model();
    return (byte *)__elw_m_memmove(to, from, n) + n;
}

void *__elw_m_memccpy(void *to, const void *from, int c, size_t n)
{
    __elw_model();
    byte *t = to, *behind = NULL;
    const byte *f = from;
    __elw_begins();
    while (n-- && !behind)
        if ((*t++ = *f++) == (byte)c)
            behind = t;
    __elw_reads(from, (size_t)(t - (byte *)to));
    __elw_writes(to, (size_t)(t - (byte *)to));
    __elw_ends();
    return behind;
}

void __elw_m_bcopy(const void *from, void *to, size_t n)
{
    __elw_model();
    __elw_m_memmove(to, from, n);
}

// `bzero` and `explicit_bzero`.
void __elw_m_bzero(void *to, size_t n)
{
    __elw_model();
    __elw_m_memset(to, 0, n);
}

void __elw_m_swab(const void *from, void *to, ssize_t n)
{
    __elw_model();
    const byte *f = from;
    byte *t = to;
    if (n > 1) {
        __elw_begins();
        __elw_reads(from, (size_t)n / 2 * 2);
        __elw_writes(to, (size_t)n / 2 * 2);
        __elw_ends();
    }
    for (; n > 1; n -= 2, f += 2, t += 2) {
        byte first = f[0], second = f[1];
        t[0] = second;
        t[1] = first;
    }
}

void *__elw_m___memcpy_chk(void *to, const void *from, size_t n, size_t there)
{
    __elw_model();
    __elw_h_check(n, there);
    return __elw_m_memmove(to, from, n);
}

void *__elw_m___memset_chk(void *to, int value, size_t n, size_t there)
{
    __elw_model();
    __elw_h_check(n, there);
    return __elw_m_memset(to, value, n);
}

void *__elw_m___mempcpy_chk(void *to, const void *from, size_t n, size_t there)
{
    __elw_model();
    __elw_h_check(n, there);
    return (byte *)__elw_m_memmove(to, from, n) + n;
}

ALSO(explicit_bzero, bzero);
