#include <getopt.h>

int agrees(void)
{
    return optarg[0] != 'x';
}
