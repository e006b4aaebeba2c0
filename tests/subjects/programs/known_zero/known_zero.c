// A division by a zero that the compiler knows, of which nobody uses what comes of it.
#include <stdio.h>

static int share(int all, int parts)
{
    return all / parts; // fails here
}

int main(void)
{
    int parts = 0;

#ifdef REPAIRED
    parts = 2;
#endif
    if (getchar() == 'K')
        (void)share(7, parts);
    return 0;
}
