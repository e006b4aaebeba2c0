// Lists of numbers, for the book's example of an exported test.
#include "list.h"

/* Appends `other` to `list`. */
struct node *list_concat(struct node *list, struct node *other)
{
    struct node *last = list;

    if (!list)
        return other;
    while (last->next)
        last = last->next;
    last->next = other;
    return list;
}
