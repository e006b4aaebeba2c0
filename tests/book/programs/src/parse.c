// Counts words: a program of two files.
#include "lex.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    int words = 0, c;
    for (int i = 0; i < 3 && (c = getchar()) != EOF; i++)
        words += is_letter(c);
    return argc > 1 && argv[1][0] == '-' ? words : 0;
}
