// A rate that is computed and then thrown away: it fails all the same.
#include <unistd.h>

int main(void)
{
    unsigned char c[2];
    if (read(0, c, sizeof c) != (ssize_t)sizeof c)
        return 1;
    int rate = 0;
#ifdef REPAIRED
    if (c[1] != 0)
        rate = c[0] / c[1];
#else
    rate = c[0] / c[1]; // fails here
#endif
    rate = 3;
    return rate;
}
