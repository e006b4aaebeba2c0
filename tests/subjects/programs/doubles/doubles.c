// A reading that is neither below nor above the limit: it is not a number.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    double reading;
    if (read(0, &reading, sizeof reading) != (ssize_t)sizeof reading)
        return 1;
    if (reading < 21.5)
        return 2;
    if (reading >= 21.5)
        return 3;
#ifdef REPAIRED
    return 4;
#else
    abort(); // fails here
#endif
}
