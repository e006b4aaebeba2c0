// A subject of up to two bytes, explored as a program that reads standard input, or, with BRUTE,
// run on every input: a record of length, two bytes and outcome for each.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// The outcome, 0 to 127, of the input that `file` has.
static int subject(FILE *file);

// The two bytes of the input as a string.
__attribute__((unused)) static char *text(FILE *file)
{
    static char bytes[3];
    bytes[0] = bytes[1] = bytes[2] = 0;
#ifdef BRUTE
    (void)!fread(bytes, 1, 2, file);
#else
    (void)file;
    (void)!read(0, bytes, 2);
#endif
    return bytes;
}

#ifdef BRUTE
int main(void)
{
    for (int size = 0; size <= 2; size++)
        for (int i = 0; i < (size == 2 ? 65536 : size == 1 ? 256 : 1); i++) {
            char bytes[2] = {(char)i, (char)(i >> 8)};
            FILE *file = fmemopen(size ? bytes : "", size ? (size_t)size : 1, "r");
            if (!size)
                getc(file);
            clearerr(file);
            putchar(size);
            putchar(bytes[0]);
            putchar(bytes[1]);
            putchar(subject(file) & 127);
            fclose(file);
        }
    return 0;
}
#else
int main(void)
{
    int outcome = subject(stdin) & 127;
    // One path for each outcome, also where no branch has led to it.
    for (int i = 0; i < 127; i++)
        if (outcome == i)
            return i;
    return 127;
}
#endif
