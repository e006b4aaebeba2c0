// `sscanf` and `fscanf`.
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    FILE *file = tmpfile();
    const char *formats[] = {
        "%d%d", "%i %i", "%2d%3i%n", "%x,%o", "%u:%hhd%n", "%ld%lld%hd", "%*d%d", "%s%s", "%3s%n%s",
        "%[a-f]%s", "%[^x]x%d", "%[]x-]%n", "%5[0-9]%d", "%c%c", "%3c%n", " %c%d", "%d %% %d",
        "%f%f", "%3f%n%d", "a%db", "a %d b ", "%p%n", "%*s%d", "x%*[ab]%c%n", "%d x%d", "%zu%jd%td",
    };
    for (int i = 0; i < 12000; i++) {
        const char *format = formats[pick(sizeof formats / sizeof *formats)];
        char s[64];
        word(s, 14, pick(2) ? "0123456789" : "ab x", pick(2) ? 4 : 4);
        unsigned n = (unsigned)strlen(s);
        for (unsigned k = pick(6); n && k; k--)
            s[pick(n)] = "0123 -+xaf.,:%e\n"[pick(16)];
        // Wide enough for any of the types, and aligned for them.
        union {
            char text[32];
            long number;
        } a, b, c;
        memset(&a, 1, sizeof a);
        memset(&b, 2, sizeof b);
        memset(&c, 3, sizeof c);
        errno = 0;
        int done = sscanf(s, format, &a, &b, &c);
        printf("%s <%s> %d %d ", format, s, done, errno);
        fwrite(&a, 1, sizeof a, stdout);
        fwrite(&b, 1, sizeof b, stdout);
        fwrite(&c, 1, sizeof c, stdout);
        if (i % 4 == 0) {
            rewind(file);
            if (ftruncate(fileno(file), 0))
                return 1;
            fputs(s, file);
            rewind(file);
            memset(&b, 2, sizeof b);
            done = fscanf(file, format, &a, &b, &c);
            printf(" %d %d %ld", done, getc(file), ftell(file));
            fwrite(&b, 1, sizeof b, stdout);
        }
        putchar('\n');
    }
    char *text = NULL, *set = NULL;
    printf("%d", sscanf("word 123abc", "%ms %m[0-9]", &text, &set));
    printf(" %s %s\n", text, set);
    free(text);
    free(set);
    fclose(file);
    return 0;
}
