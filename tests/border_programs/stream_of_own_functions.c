//: holds = "honest"
//: options = ["--input-size=3"]
//: witness = "763"
// A stream whose reading is a function of the program: the library sees what that makes of the input.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

struct masked {
    const char *next;
    size_t left;
};

static ssize_t unmask(void *cookie, char *out, size_t room)
{
    struct masked *text = cookie;
    size_t count = room < text->left ? room : text->left;
    for (size_t i = 0; i < count; i++)
        out[i] = text->next[i] ^ 2;
    text->next += count;
    text->left -= count;
    return (ssize_t)count;
}

int main(void)
{
    static char digits[3];
    if (fread(digits, 1, sizeof digits, stdin) != sizeof digits)
        return 1;
    struct masked *text = calloc(1, 256);
    if (!text)
        return 2;
    text->next = digits;
    text->left = sizeof digits;
    FILE *stream = fopencookie(text, "r", (cookie_io_functions_t){.read = unmask});
    int number;
    if (stream && fscanf(stream, "%d", &number) == 1 && number == 541)
        abort(); // fails here
    return 0;
}
