#include <signal.h>
#include <stdlib.h>

static char *kept;

static void looks(int number)
{
    (void)number;
    if (kept[0] == 'x')
        abort();
}

void keeps(char *text)
{
    kept = text;
    signal(SIGUSR1, looks);
}
