// Looks for a letter in the file after -t.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "-t") == 0) {
            FILE *file = fopen(argv[i + 1], "r");
            return file && fgetc(file) == '!' ? 1 : 0;
        }
    return 2;
}
