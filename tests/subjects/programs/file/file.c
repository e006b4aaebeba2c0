// A file named on the command line, read through stdio.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file)
        return 1;
    unsigned char head[4];
    if (fread(head, 1, sizeof head, file) != sizeof head)
        return 2;
    long place = head[0];
    if (place < 8 || place > 12 || head[1] != 'F')
        return 3;
    if (fseek(file, place, SEEK_SET) != 0)
        return 4;
    int c = fgetc(file);
    fclose(file);
#ifdef REPAIRED
    if (c == '!')
        return 5;
#else
    if (c == '!')
        abort(); // fails here
#endif
    return 0;
}
