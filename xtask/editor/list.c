/* A list, and levels: what `cargo xtask editor` shows the extension with. */

#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

/* The value at an index from 0 to 3; -1 if there is none. */
int list_at(const struct node *list, unsigned index)
{
    if (list == NULL || index > 3)
        return -1;
    for (; index > 0; index--)
        list = list->next;
    return list->value;
}

/* A level from 0 to 3. */
int level(unsigned char byte)
{
    int level = byte / 64;

    if (level > 3)
        return -1;
    return byte == 200 ? 0 : level;
}
