// Settings of which one has no value: what fails is the library, but the caller is to blame.
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const char *value_of(const char *name)
{
    static const char *const settings[][2] = {{"tab", "8"}, {"eol", "unix"}, {"bom", NULL}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (strcmp(settings[i][0], name) == 0)
            return settings[i][1];
    }
    return "";
}

int main(void)
{
    char name[5] = "";
    if (read(0, name, 4) != 4)
        return 1;
    name[3] = '\0';
    const char *value = value_of(name);
#ifdef REPAIRED
    if (value == NULL)
        return 2;
#endif
    size_t length = strlen(value); // fails here
    return length > 4;
}
