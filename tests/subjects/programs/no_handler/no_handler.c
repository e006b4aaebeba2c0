// A table of commands, one of which nobody has written yet: what fails is the call of nothing.
#include <stddef.h>
#include <unistd.h>

static int add(int x) { return x + 1; }
static int twice(int x) { return x * 2; }

static int run(int (*command)(int), int x)
{
#ifdef REPAIRED
    if (command == NULL)
        return x;
#endif
    int result = command(x); // fails here
    return result + 1;
}

int main(void)
{
    static int (*const table[])(int) = {add, twice, NULL};
    unsigned char b[2];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    if (b[0] > 2)
        return 2;
    return run(table[b[0]], b[1]) == 7;
}
