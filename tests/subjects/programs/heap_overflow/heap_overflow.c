// One place too many is read: nothing crashes without a sanitizer.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[3];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    int *a = calloc(7, sizeof *a);
    if (!a)
        return 2;
    int result = 0;
#ifdef REPAIRED
    if (b[0] == 'i' && b[1] < 7)
#else
    if (b[0] == 'i' && b[1] < 8)
#endif
        result = a[b[1]]; // fails here
    free(a);
    return result;
}
