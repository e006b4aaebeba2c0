#define _GNU_SOURCE
#include <stdlib.h>

static void ends(int code, void *nothing)
{
    (void)nothing;
    if (code == 'E')
        abort();
}

void begins(void)
{
    on_exit(ends, NULL);
}
