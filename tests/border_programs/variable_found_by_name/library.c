#define _GNU_SOURCE
#include <dlfcn.h>

int agrees(void)
{
    const char *shown = dlsym(RTLD_DEFAULT, "shown");
    return !shown || *shown != 'x';
}
