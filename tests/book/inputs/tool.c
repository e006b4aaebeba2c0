// Takes a level from its second argument, or from the environment.
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *level = getenv("LEVEL");
    if (argc > 2 && strncmp(argv[2], "--level=", 8) == 0)
        level = argv[2] + 8;
    return level && level[0] == '9' ? 1 : 0;
}
