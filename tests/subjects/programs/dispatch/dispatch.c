// A table of functions, one of which should never be called.
#include <stdlib.h>
#include <unistd.h>

static int add(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
static int never(int x)
{
#ifdef REPAIRED
    return x;
#else
    if (x == 44)
        abort(); // fails here
    return x;
#endif
}

int main(void)
{
    static int (*const table[])(int) = {add, twice, never, add};
    unsigned char b[2];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    if (b[0] > 3)
        return 2;
    return table[b[0]](b[1]) == 7;
}
