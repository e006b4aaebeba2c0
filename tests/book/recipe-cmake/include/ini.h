// Reads one line of an INI file.
#ifndef INI_H
#define INI_H

#include <stddef.h>

struct ini_line {
    char key[4];
    const char *value;
};

// Returns 1 for a "key=value", 0 for a blank line or a comment, -1 for anything else.
int ini_parse(const char *text, size_t length, struct ini_line *line);

#endif
