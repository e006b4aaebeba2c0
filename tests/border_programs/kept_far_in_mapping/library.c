#define _GNU_SOURCE
#include <sys/mman.h>

static char **table;

void keeps(char *text)
{
    table = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    table[511] = text;
}

int agrees(void)
{
    return *table[511] != 'm';
}
