// A message that is refused is not given back.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static char *copy(const char *text)
{
    char *c = malloc(strlen(text) + 1); // fails here
    if (c)
        strcpy(c, text);
    return c;
}

__attribute__((noinline)) static int take(const char *text)
{
    char *message = copy(text);
    if (!message)
        return 2;
#ifndef REPAIRED
    if (message[0] == '#' && message[1] == 'x')
        return 3;
#endif
    free(message);
    return 0;
}

// Leaves nothing of the message's address on the stack.
__attribute__((noinline)) static int wipe(void)
{
    volatile char room[4096];
    for (unsigned i = 0; i < sizeof room; i++)
        room[i] = 0;
    return room[17];
}

int main(void)
{
    char b[3] = {0};
    if (read(0, b, 2) != 2)
        return 1;
    int result = take(b);
    return result + wipe();
}
