// Searching, copying and comparing strings and memory.
#define _GNU_SOURCE
#include "check.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static int sign_of_copy(int (*compare)(const char *, const char *), const char *a, const char *b)
{
    return compare(a, b);
}

int main(void)
{
    for (int i = 0; i < 4000; i++) {
        char a[40], b[40], c[96], d[96];
        word(a, 12, LETTERS("abAB \xe4"));
        word(b, i % 3 ? 3 : 12, LETTERS("abAB \xe4"));
        int x = "abAB \xe4\0"[pick(7)];
        size_t n = pick(14);
        printf("%zu %zu %ld %ld %ld", strlen(a), strnlen(a, n), off(strchr(a, x), a),
               off(strrchr(a, x), a), off(strchrnul(a, x), a));
        printf(" %ld %ld %ld", off(memchr(a, x, strlen(a) + 1), a),
               off(memrchr(a, x, strlen(a) + 1), a), off(rawmemchr(a, 0), a));
        printf(" %ld %ld %ld", off(strstr(a, b), a), off(strcasestr(a, b), a),
               off(memmem(a, strlen(a), b, strlen(b)), a));
        printf(" %zu %zu %ld\n", strspn(a, b), strcspn(a, b), off(strpbrk(a, b), a));
        printf("%d %d %d %d", strcmp(a, b), strncmp(a, b, n), strcasecmp(a, b),
               strncasecmp(a, b, n));
        printf(" %d %d %d\n", memcmp(a, b, n < strlen(b) ? n : strlen(b)), strcoll(a, b),
               sign_of_copy(strcmp, a, b));
        memset(c, '.', sizeof c);
        memset(d, '.', sizeof d);
        strcpy(c, a);
        printf("%ld ", off(stpcpy(d, b), d));
        strcat(c, b);
        strncat(d, a, n);
        printf("%.96s|%.96s", c, d);
        strncpy(c + 48, a, n);
        printf(" %ld ", off(stpncpy(d + 48, b, n), d));
        fwrite(c, 1, sizeof c, stdout);
        fwrite(d, 1, sizeof d, stdout);
        char *copy = strdup(a), *part = strndup(b, n);
        printf(" %s %s", copy, part);
        free(copy);
        free(part);
        printf(" %zu", strxfrm(c, a, n));
        printf(" %ld", off(memccpy(d, a, x, strlen(a) + 1), d));
        printf(" %ld", off(mempcpy(c, b, strlen(b)), c));
        bzero(d, n);
        bcopy(a, d + 3, strlen(a));
        swab(a, d + 30, (long)(strlen(a) & ~1u));
        fwrite(d, 1, sizeof d, stdout);
        putchar('\n');
        strcpy(c, a);
        char *rest = NULL;
        for (char *t = strtok_r(c, b[0] ? b : " ", &rest); t; t = strtok_r(NULL, " b", &rest))
            printf("[%s]", t);
        strcpy(c, a);
        for (char *t = strtok(c, " a"); t; t = strtok(NULL, " a"))
            printf("<%s>", t);
        strcpy(c, a);
        rest = c;
        for (char *t; (t = strsep(&rest, " A"));)
            printf("{%s}", t);
        putchar('\n');
    }
    for (int i = 0; i < 4000; i++) {
        char a[40], b[40], c[96];
        word(a, 5, LETTERS("001.a\xe4"));
        word(b, 4, LETTERS("0019.a"));
        word(c, 4, LETTERS("0019.a"));
        printf("%d %d", strverscmp(a, b), strverscmp(b, a));
        strcat(a, b);
        memmove(c + strlen(b), c, strlen(c) + 1);
        memcpy(c, b, strlen(b));
        strcat(b, a);
        printf(" %d %d %d\n", strverscmp(b, c), strverscmp(c, b), strverscmp(a, a));
    }
    for (int c = -128; c < 256; c++) {
        int (*f[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph, islower, isprint,
                           ispunct, isspace, isupper, isxdigit, toupper, tolower, isascii, toascii};
        for (unsigned i = 0; i < sizeof f / sizeof *f; i++)
            printf("%d ", f[i](c));
        putchar('\n');
    }
    for (int i = 0; i < 300; i++) {
        long n = (long)(state >> pick(64)) * (pick(2) ? 1 : -1);
        pick(2);
        printf("%d %ld %lld %d %d %d\n", abs((int)n), labs(n), llabs(n), ffs((int)n), ffsl(n),
               ffsll(n));
    }
    return 0;
}
