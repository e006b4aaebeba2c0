#include <stdlib.h>

int agrees(void)
{
    return system("grep -q P data") != 0;
}
