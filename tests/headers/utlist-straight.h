// What lists of <utlist.h> that end have beside the rest: they can be joined, and taken apart. Before it
// is included stands `last_of`, too.
#ifndef UTLIST_STRAIGHT_H
#define UTLIST_STRAIGHT_H

#include "utlist-operations.h"

struct pair {
    struct node *head;
    struct node *other;
};

// Two lists that have no node in common.
static int valid_pair(struct pair pair)
{
    if (!valid(pair.head) || !valid(pair.other))
        return 0;
    return !pair.head || last_of(pair.head) != last_of(pair.other);
}

//: explore --valid pair:valid_pair
void WRAPPER(concat)(struct pair pair)
{
    const struct node *end = last_of(pair.other) ? last_of(pair.other) : last_of(pair.head);
    MACRO(CONCAT)(pair.head, pair.other);
    ensure(last_of(pair.head) == end);
}

//: explore --valid node:valid
void WRAPPER(foreach_safe)(struct node *head)
{
    struct node *node, *next;
    MACRO(FOREACH_SAFE)(head, node, next)
        node->next = NULL;
}

#endif
