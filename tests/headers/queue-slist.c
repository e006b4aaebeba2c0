// The operations of singly linked lists: SLIST of <sys/queue.h>.
#include "check.h"
#include <bsd/sys/queue.h>

#define MACRO(name) SLIST_##name
#define WRAPPER(name) slist_##name
#define FIRST(list) ((list)->slh_first)
#define NEXT(node) ((node)->link.sle_next)
#define INSERT_AFTER(list, node, added) SLIST_INSERT_AFTER(node, added, link)
#define REMOVE(list, at) SLIST_REMOVE(list, at, node, link)
#define CONCAT(list, other) SLIST_CONCAT(list, other, node, link)
#define SWAP(list, other) SLIST_SWAP(list, other, node)

struct node {
    SLIST_ENTRY(node) link;
    int value;
};
SLIST_HEAD(list, node);

static int valid(const struct list *list)
{
    int length = 0;
    if (!list)
        return 0;
    for (const struct node *node = list->slh_first; node; node = node->link.sle_next) {
        if (++length > MOST)
            return 0;
    }
    return 1;
}

// Nothing leads to a node but the one before it.
#define check_links(list, added) ((void)0)

//: about slist_remove_stranger segv: misuse: the node is not in the list, and the search for it runs off the end
#include "queue-operations.h"

//: explore --valid list:valid
int slist_foreach_prevptr(struct list *list)
{
    struct node *node, **from;
    int sum = 0;
    SLIST_FOREACH_PREVPTR(node, from, list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid place:valid_place
//: segv: misuse: there is no node after the last one
void slist_remove_after(struct place place)
{
    SLIST_REMOVE_AFTER(place.node, link);
    ensure(valid_place(place));
}

//: explore --valid list:valid
//: segv: misuse: an empty list has no first node
void slist_remove_head(struct list *list)
{
    SLIST_REMOVE_HEAD(list, link);
    ensure(valid(list));
}

//: explore --valid list:valid
void slist_remove_prevptr(struct list *list, int value)
{
    struct node *node, **from;
    SLIST_FOREACH_PREVPTR(node, from, list, link) {
        if (node->value == value) {
            SLIST_REMOVE_PREVPTR(from, node, link);
            break;
        }
    }
    ensure(valid(list));
}

//: explore --valid list:valid
//: abort: misuse: the lists share nodes, and what comes of them is a ring or ends elsewhere
void slist_concat_self(struct list *list, struct list *other)
{
    SLIST_CONCAT(list, other, node, link);
    ensure(valid(list));
}
