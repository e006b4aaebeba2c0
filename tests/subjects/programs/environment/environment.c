// A setting from the environment.
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *level = getenv("LEVEL");
    if (!level)
        return 1;
#ifdef REPAIRED
    if (strcmp(level, "deep") == 0)
        return 2;
#else
    if (strcmp(level, "deep") == 0)
        abort(); // fails here
#endif
    return 0;
}
