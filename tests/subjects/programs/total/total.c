// Arguments of a variadic function.
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static int total(int count, ...)
{
    va_list list;
    va_start(list, count);
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum = sum * 3 + va_arg(list, int);
    va_end(list);
    return sum;
}

int main(void)
{
    unsigned char b[4];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    if (b[0] >= b[1] || b[2] != 9)
        return 2;
#ifdef REPAIRED
    if (total(4, b[0], b[1], b[2], b[3]) == 5000)
        return 3;
#else
    if (total(4, b[0], b[1], b[2], b[3]) == 5000)
        abort(); // fails here
#endif
    return 0;
}
