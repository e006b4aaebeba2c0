// Variables of the caller's that lie right behind the arguments of a variadic call.
#include "explored.h"

static int subject(FILE *file)
{
    char line[16], first[4] = "";
    int n = 0;
    if (!fgets(line, sizeof line, file))
        return 0;
    int done = sscanf(line, "a%d", &n);
    if (done == 1)
        return n == 7 ? 1 : 2;
    done = sscanf(line, "%1s%d", first, &n);
    snprintf(line, sizeof line, "%d/%s", n, first);
    return strcmp(line, "5/x") == 0 ? 3 : 4 + (done == 2);
}
