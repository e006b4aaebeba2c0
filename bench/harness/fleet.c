/* As many paths as there are subsets of the bytes, with about a millisecond of work in each run. */
#include <unistd.h>

#ifndef BYTES
#define BYTES 14
#endif

int main(void)
{
    unsigned char text[BYTES];
    if (read(0, text, BYTES) != BYTES)
        return 1;
    int many = 0;
    for (int i = 0; i < BYTES; i++)
        if (text[i] > 'm')
            many++;
    for (volatile int i = 0; i < 6000; i++)
        ;
    return many;
}
