// What is compared with lies across the end of a page: it is one comparison in two parts, and is so
// in every run.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Alignas(4096) char pages[3][4096];

int main(void)
{
    char in[21] = "";
    if (read(0, in, 20) != 20)
        return 1;
    char *mark = pages[1] - 3;
    memcpy(mark, "abcdefgh", 9);
    char *word = pages[2] - 1;
    memcpy(word, "begin", 6);
    if (memcmp(in, mark, 8) != 0)
        return 2;
#ifdef REPAIRED
    in[19] = 'x';
#endif
    if (strcmp(in + 8, word) == 0 && strncmp(in + 14, pages[1] - 2, 5) == 0 && in[19] == 'y')
        abort(); // fails here
    return 0;
}
