#define _GNU_SOURCE
#include <stdio.h>

static char *text;
static size_t size;

FILE *opened(void)
{
    return open_memstream(&text, &size);
}

int agrees(FILE *stream)
{
    fflush(stream);
    return text[0] != 'x';
}
