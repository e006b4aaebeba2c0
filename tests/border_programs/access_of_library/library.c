#include "library.h"

int access(const struct both *both)
{
    return *both->other == 'x';
}
