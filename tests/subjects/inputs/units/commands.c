/* The table of commands, and the search in it. */
#include "commands.h"

static const unsigned char names[COMMANDS][3] = {{'g', 'e', 't'}, {'p', 'u', 't'}, {'d', 'e', 'l'}};

/* Every command shares its first letter with no other, so a second look is for spelling only. */
unsigned char find_command(const unsigned char *word)
{
    for (unsigned char i = 0; i < COMMANDS; i++) {
        if (word[0] != names[i][0])
            continue;
        if (word[1] == names[i][1] && word[2] == names[i][2])
            return i;
        return NOT_FOUND;
    }
    _Exit(4);
}
