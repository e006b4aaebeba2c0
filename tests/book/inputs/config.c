// Reads the file after --file=.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2 || strncmp(argv[1], "--file=", 7) != 0)
        return 2;
    FILE *file = fopen(argv[1] + 7, "r");
    return file && fgetc(file) == '#' ? 0 : 1;
}
