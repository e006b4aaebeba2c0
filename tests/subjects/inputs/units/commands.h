/* What the two translation units share. */
#include <stdlib.h>

#define COMMANDS 3
#define NOT_FOUND 255

unsigned char find_command(const unsigned char *word);
