#include <errno.h>

int agrees(void)
{
    return errno != 'M';
}
