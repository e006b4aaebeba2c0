#include <stddef.h>

int begins_with_b(const char **text)
{
    int answer = **text == 'b';
    *text = NULL;
    return answer;
}
