// Variables of the environment.
#include "models.h"
#include <unistd.h>

// `getenv` and `secure_getenv`. Names of variables may be input, too.
char *__elw_m_getenv(const char *name)
{
    __elw_model();
    __elw_reads_text(name, SIZE_MAX);
    if (!environ || !*name)
        return NULL;
    for (char **variable = environ; *variable; variable++) {
        const char *at = *variable, *wanted = name;
        while (*wanted && *at == *wanted) {
            at++;
            wanted++;
        }
        if (!*wanted && *at == '=')
            return (char *)at + 1;
    }
    return NULL;
}

ALSO(secure_getenv, getenv);
