#include <stdlib.h>

int agrees(void)
{
    const char *level = getenv("LEVEL");
    return !level || level[0] != 'x';
}
