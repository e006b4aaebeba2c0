#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

static int ends[2];

void begins(void)
{
    if (pipe2(ends, O_NONBLOCK) == 0 && write(ends[1], "t", 1) != 1)
        _exit(9);
}

int takes(void)
{
    char byte = 0;
    return read(ends[0], &byte, 1) == 1 && byte == 't';
}
