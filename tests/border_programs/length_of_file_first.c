//: holds = "found"
//: complete = true
//: options = ["--max-input=3"]
//: args = ["@@"]
//: witness = "x12"
// The length of a file is asked for at its end, before anything is read from its beginning.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return 1;
    long size = ftell(file);
    rewind(file);
    int first = fgetc(file);
    fclose(file);
    if (size == 3 && first == 'x')
        abort(); // fails here
    return 0;
}
