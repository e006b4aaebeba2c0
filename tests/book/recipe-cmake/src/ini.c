// Reads one line of an INI file. The bug: a key of exactly four letters has no room for its end.
#include "ini.h"
#include <ctype.h>
#include <string.h>

static size_t skip_blanks(const char *text, size_t at, size_t length)
{
    while (at < length && isspace((unsigned char)text[at]))
        at++;
    return at;
}

int ini_parse(const char *text, size_t length, struct ini_line *line)
{
    size_t begin = skip_blanks(text, 0, length);
    size_t end = begin;

    if (begin == length || text[begin] == ';')
        return 0;
    while (end < length && (isalnum((unsigned char)text[end]) || text[end] == '.'))
        end++;
    if (end == begin || end == length || text[end] != '=')
        return -1;
    if (end - begin > sizeof line->key)
        return -1;
    memcpy(line->key, text + begin, end - begin);
    line->key[end - begin] = 0;
    line->value = text + skip_blanks(text, end + 1, length);
    return 1;
}
