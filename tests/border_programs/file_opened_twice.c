//: holds = "found"
//: complete = true
//: options = ["--max-input=2"]
//: args = ["@@"]
//: witness = "x2"
// A file is read to its end, closed, opened again and read from its beginning.
#include <stdio.h>
#include <stdlib.h>

static int length_of(const char *name)
{
    int length = 0;
    FILE *file = fopen(name, "rb");
    if (!file)
        return -1;
    while (fgetc(file) != EOF)
        length++;
    fclose(file);
    return length;
}

int main(int argc, char **argv)
{
    int length = argc > 1 ? length_of(argv[1]) : -1;
    FILE *file = length < 0 ? NULL : fopen(argv[1], "rb");
    if (!file)
        return 1;
    int first = fgetc(file);
    fclose(file);
    if (length == 2 && first == 'x')
        abort(); // fails here
    return 0;
}
