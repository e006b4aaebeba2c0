#define _GNU_SOURCE
#include <errno.h>

int agrees(void)
{
    return program_invocation_short_name[0] != 'p';
}
