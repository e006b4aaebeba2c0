// The operations of singly linked lists: LL of <utlist.h>.
#include "check.h"
#include <utlist.h>

#define MACRO(name) LL_##name
#define WRAPPER(name) ll_##name

struct node {
    int value;
    struct node *next;
};

static int valid(const struct node *head)
{
    int length = 0;
    for (const struct node *node = head; node; node = node->next) {
        if (++length > MOST)
            return 0;
    }
    return 1;
}

static const struct node *next_of(const struct node *head, const struct node *node)
{
    (void)head;
    return node->next;
}

static const struct node *last_of(const struct node *head)
{
    const struct node *last = NULL;
    for (; head; head = head->next)
        last = head;
    return last;
}

static int is_last(const struct node *node, const struct node *head)
{
    return last_of(head) == node;
}

//: about ll_delete unreached 2: the node is in the list, so the search for it ends before the end
//: about ll_delete_stranger segv: misuse: an empty list has no node to delete
#include "utlist-straight.h"
