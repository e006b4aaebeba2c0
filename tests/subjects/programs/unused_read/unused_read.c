// A header is looked at by a pointer that may be none, and nobody uses what was read.
#include <stdlib.h>
#include <unistd.h>

struct header {
    int kind, length;
};

static struct header first = { 1, 2 };

static struct header *header(unsigned char number)
{
    return number == 7 ? &first : NULL;
}

int main(void)
{
    unsigned char c;
    if (read(0, &c, 1) != 1)
        return 1;
    struct header *found = header(c);
#ifdef REPAIRED
    if (found == NULL)
        return 2;
#endif
    int length = found->length; // fails here
    length = 4;
    return length;
}
