// Reading standard input through stdio, whatever its length.
#include "explored.h"

static int subject(FILE *file)
{
    char line[4];
    int c = getc(file);
    if (c == EOF)
        return feof(file) ? 1 : 2;
    if (c == 'u') {
        ungetc('v', file);
        c = fgetc(file);
        return c == 'v' ? 3 + getc_unlocked(file) % 3 : 99;
    }
    if (c == 'r') {
        size_t n = fread(line, 1, 2, file);
        return 10 + (int)n + (n == 1 && line[0] == 'd') * 5;
    }
    if (c == 'n') {
        int n = -1;
        int done = fscanf(file, "%d", &n);
        return done == 1 ? 20 + n : 31 + done;
    }
    ungetc(c, file);
    if (!fgets(line, sizeof line, file))
        return 40;
    return 50 + (int)strlen(line) + (strchr(line, '\n') ? 5 : 0) + (feof(file) ? 10 : 0);
}
