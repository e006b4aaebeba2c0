#include <stdlib.h>

int takes(char *text)
{
    int answer = *text == 'b';
    free(text);
    return answer;
}
