// Reads a line with its end.
#include <stdio.h>

int getline(char line[], int room)
{
    int c = 0, length = 0;
    while (length < room - 1 && c != '\n' && (c = getchar()) != EOF)
        line[length++] = (char)c;
    line[length] = '\0';
    return length;
}
