#include <sys/stat.h>

int agrees(void)
{
    struct stat status;
    return stat("data", &status) || status.st_size != 3;
}
