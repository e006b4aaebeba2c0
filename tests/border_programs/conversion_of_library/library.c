#include <printf.h>
#include <stdio.h>

static int seen;

static int prints(FILE *stream, const struct printf_info *info, const void *const *given)
{
    (void)info;
    seen = *(const int *)given[0] == 'W';
    return fprintf(stream, "w");
}

static int takes(const struct printf_info *info, size_t most, int *types, int *sizes)
{
    (void)info;
    (void)sizes;
    if (most > 0)
        types[0] = PA_INT;
    return 1;
}

void begins(void)
{
    register_printf_specifier('W', prints, takes);
}

int agrees(void)
{
    return !seen;
}
