// "key=value": the key is looked up by name, the value is compared.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[32];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    line[strcspn(line, "\n")] = 0;
    char *equals = strchr(line, '=');
    if (!equals)
        return 2;
    *equals = 0;
    if (strcmp(line, "mode") != 0)
        return 3;
    if (strncmp(equals + 1, "raw-", 4) != 0)
        return 4;
#ifdef REPAIRED
    if (strlen(equals + 1) == 7)
        return 5;
#else
    if (strlen(equals + 1) == 7)
        abort(); // fails here
#endif
    return 0;
}
