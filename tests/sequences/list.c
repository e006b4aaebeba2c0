/* Lists that can be joined. With BUGGY, joining looks for the end of a list that has none. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct list {
    struct node *first;
};

struct list *list_new(void)
{
    return calloc(1, sizeof(struct list));
}

int list_add(struct list *list, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->value = value;
    node->next = list->first;
    list->first = node;
    return 1;
}

/* Moves all of `from` behind what is in `to`. */
void list_join(struct list *to, struct list *from)
{
    struct node *last = to->first;
    if (to == from || !from->first)
        return;
#ifndef BUGGY
    if (!last) {
        to->first = from->first;
        from->first = NULL;
        return;
    }
#endif
    while (last->next)
        last = last->next;
    last->next = from->first;
    from->first = NULL;
}
