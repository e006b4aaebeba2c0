// An index from input: the last place of the table is not what its reader thinks.
#include <assert.h>
#include <unistd.h>

static const int primes[10] = {2, 3, 5, 7, 11, 13, 17, 19, 23, -1};

int main(void)
{
    unsigned char b[3];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
#ifdef REPAIRED
    if (b[0] > 8 || b[1] > 8)
        return 2;
#else
    if (b[0] > 9 || b[1] > 9)
        return 2;
#endif
    int product = primes[b[0]] * primes[b[1]];
    assert(product > 0); // fails here
    return 0;
}
