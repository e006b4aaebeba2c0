// What a letter is.
#include "lex.h"

int is_letter(int c)
{
    return c >= 'a' && c <= 'z';
}
