#include <string.h>

int agrees(void)
{
    char *word = strtok(NULL, " ");
    return !word || word[0] != 'x';
}
