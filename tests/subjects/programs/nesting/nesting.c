// Brackets within brackets, read by a function that calls itself.
#include <assert.h>
#include <unistd.h>

static unsigned char b[7];
static unsigned at;

static int value(int depth)
{
    assert(depth < 3); // fails here
    if (at >= sizeof b)
        return -1;
    if (b[at] == '1') {
        at++;
        return 1;
    }
    if (b[at] != '[')
        return -1;
    at++;
#ifdef REPAIRED
    if (depth == 2)
        return -1;
#endif
    int inner = value(depth + 1);
    if (inner < 0 || at >= sizeof b || b[at] != ']')
        return -1;
    at++;
    return inner + 1;
}

int main(void)
{
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    return value(0) < 0;
}
