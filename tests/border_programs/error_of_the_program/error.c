// What is wrong with a character.
#include "scan.h"

void error(struct scan *scan, int character)
{
    scan->position++;
    scan->severity = character == '?' ? 3 : 1;
}
