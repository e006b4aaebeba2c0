#include <stdio.h>

static char buffer[256];

void begins(FILE *stream)
{
    setvbuf(stream, buffer, _IOFBF, sizeof buffer);
}

int agrees(void)
{
    return buffer[0] != 'V';
}
