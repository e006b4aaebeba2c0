// Parameters that are arrays, and what says how long they are.
#include "../twin.h"
#include <stddef.h>
#include <stdint.h>

// Names say it. Nothing is read behind the end: a sanitizer would say so.
long sum(const int *items, size_t count)
{
    long sum = 0;
    if (items == NULL)
        return 0;
    for (size_t i = 0; i < count; i++)
        sum += items[i];
    if (count == 3 && sum == -7)
        fail(); // fails here
    return sum;
}

// The last index is behind the end.
int behind_the_end(const unsigned char *data, size_t length)
{
    if (data == NULL || length == 0)
        return 0;
#ifdef REPAIRED
    size_t last = length - 1;
#else
    size_t last = length;
#endif
    return data[last]; // fails here
}

// Names do not say it.
int said_by_hand(const short *here, int unrelated, int times)
{
    int found = 0;
    if (here == NULL)
        return 0;
    for (int i = 0; i < times; i++)
        found += here[i] == unrelated;
    if (found == 2 && unrelated == 500)
        fail(); // fails here
    return found;
}

struct pair {
    int key;
    struct pair *other;
};

int of_structs(struct pair *pairs, unsigned npairs)
{
    for (unsigned i = 0; pairs && i < npairs; i++) {
        if (pairs[i].key == 9 && pairs[i].other && pairs[i].other->key == 10 && i == 1)
            fail(); // fails here
    }
    return 0;
}

int of_text(char **argv, int argc)
{
    if (argv && argc == 2 && argv[1] && argv[1][0] == '-' && argv[1][1] == 'v' && argv[1][2] == 0)
        fail(); // fails here
    return 0;
}

// Without a length there are eight elements.
int eight(const int *a)
{
    if (a && a[7] == 3)
        fail(); // fails here
    return 0;
}

int of_fixed_length(int a[4], double (*matrix)[2])
{
    if (a && matrix && a[3] == 5 && (*matrix)[1] == 0.5)
        fail(); // fails here
    return 0;
}
