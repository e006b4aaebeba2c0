#include <stdlib.h>

static int **flags;

void names(int index, int *flag)
{
    if (!flags)
        flags = calloc(300, sizeof *flags);
    flags[index] = flag;
}

int agrees(void) { return *flags[299] != 'x'; }
