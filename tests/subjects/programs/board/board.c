// Writes through indices from input: two marks on one square.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[4];
    char square[16];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    memset(square, '.', sizeof square);
    square[b[0] & 15] = 'x';
    square[b[1] & 15] = 'o';
    square[b[2] & 15] += 1;
#ifdef REPAIRED
    if (square[5] == 'p' && square[9] == 'x')
        return 2;
#else
    if (square[5] == 'p' && square[9] == 'x')
        abort(); // fails here
#endif
    return b[3] == 0;
}
