#define _GNU_SOURCE
#include <stdio.h>

static char last;

static ssize_t writes(void *cookie, const char *from, size_t size)
{
    (void)cookie;
    if (size > 0)
        last = from[size - 1];
    return (ssize_t)size;
}

FILE *opened(void)
{
    static cookie_io_functions_t functions = {.write = writes};
    return fopencookie(NULL, "w", functions);
}

int agrees(FILE *stream)
{
    fflush(stream);
    return last != 'x';
}
