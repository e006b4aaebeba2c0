// Reads a number and refuses one: what the page on building builds in every way.
#include <stdio.h>

int main(void)
{
    int c = getchar();
    return c == 'x' ? 1 : 0;
}
