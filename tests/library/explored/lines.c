// Lines of any length.
#include "explored.h"

static int subject(FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    long n, lines = 0, longest = 0;
    while ((n = getline(&line, &room, file)) > 0) {
        lines++;
        if (line[n - 1] == '\n')
            n--;
        if (n > longest)
            longest = n;
    }
    int last = lines ? (unsigned char)line[0] : 0;
    free(line);
    return (int)(lines * 10 + longest * 3) + (last == '#');
}
