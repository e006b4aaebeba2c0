// A handle that is closed and then looked at once more.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[2];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    int *handle = malloc(sizeof *handle);
    if (!handle)
        return 2;
    *handle = b[1];
    int closed = 0;
    if (b[0] == 'c') {
        free(handle);
        closed = 1;
    }
#ifdef REPAIRED
    if (b[1] == 'r' && !closed)
#else
    if (b[1] == 'r')
#endif
        return *handle == 3; // fails here
    if (!closed)
        free(handle);
    return 0;
}
