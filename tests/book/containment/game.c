// Reads a level from a file beside it, and a move from standard input.
#include <stdio.h>

int main(void)
{
    FILE *level = fopen("level.txt", "r");
    FILE *saved = fopen("saves/last", "w");
    int move = getchar();
    if (saved)
        fputc(move, saved);
    return level && move == 'q' ? 0 : 1;
}
