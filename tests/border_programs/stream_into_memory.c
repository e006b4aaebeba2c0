//: holds = "honest"
//: options = ["--max-input=4"]
//: witness = "#!"
// The input is copied into a stream whose text the library keeps in memory of its own.
#include <stdio.h>
#include <stdlib.h>

static char *text;
static size_t length;

int main(void)
{
    FILE *copy = open_memstream(&text, &length);
    if (!copy)
        return 1;
    int c;
    while ((c = getchar()) != EOF)
        fputc(c, copy);
    fclose(copy);
    if (length > 1 && text[0] == '#' && text[1] == '!')
        abort(); // fails here
    return 0;
}
