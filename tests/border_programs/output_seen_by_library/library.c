#define _GNU_SOURCE
#include <stdio.h>

static int seen;

static ssize_t writes(void *cookie, const char *from, size_t size)
{
    (void)cookie;
    for (size_t i = 0; i < size; i++)
        seen |= from[i] == 'Z';
    return (ssize_t)size;
}

void redirects(void)
{
    cookie_io_functions_t functions = {.write = writes};
    stdout = fopencookie(NULL, "w", functions);
    setvbuf(stdout, NULL, _IONBF, 0);
}

int agrees(void)
{
    return !seen;
}
