// strtol with base 0: hexadecimal is a number too.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char text[16];
    size_t got = fread(text, 1, 8, stdin);
    text[got] = 0;
    char *end;
    long value = strtol(text, &end, 0);
    if (end == text || *end != ';')
        return 1;
#ifdef REPAIRED
    if (value == 0x1f && text[1] == 'x')
        return 2;
#else
    if (value == 0x1f && text[1] == 'x')
        abort(); // fails here
#endif
    return 0;
}
