// The operations of circular lists: CDL of <utlist.h>.
#include "check.h"
#include <utlist.h>

#define MACRO(name) CDL_##name
#define WRAPPER(name) cdl_##name

struct node {
    int value;
    struct node *prev, *next;
};

static int valid(const struct node *head)
{
    int length = 0;
    if (!head)
        return 1;
    const struct node *node = head;
    do {
        if (!node->next || node->next->prev != node || ++length > MOST)
            return 0;
        node = node->next;
    } while (node != head);
    return 1;
}

static const struct node *next_of(const struct node *head, const struct node *node)
{
    return node->next == head ? NULL : node->next;
}

static int is_last(const struct node *node, const struct node *head)
{
    return head->prev == node;
}

//: about cdl_delete_stranger segv: misuse: the node is in no list
#include "utlist-operations.h"

//: explore --valid node:valid
void cdl_foreach_safe(struct node *head)
{
    struct node *node, *last, *next;
    CDL_FOREACH_SAFE(head, node, last, next)
        node->next = NULL;
}
