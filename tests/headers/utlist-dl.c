// The operations of doubly linked lists: DL of <utlist.h>.
#include "check.h"
#include <utlist.h>

#define MACRO(name) DL_##name
#define WRAPPER(name) dl_##name

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
    for (; node->next; node = node->next) {
        if (node->next->prev != node || ++length >= MOST)
            return 0;
    }
    return head->prev == node;
}

static const struct node *next_of(const struct node *head, const struct node *node)
{
    (void)head;
    return node->next;
}

static const struct node *last_of(const struct node *head)
{
    return head ? head->prev : NULL;
}

static int is_last(const struct node *node, const struct node *head)
{
    return head->prev == node;
}

//: about dl_delete unreached 2: assertions of the header that hold for every node of a list
//: about dl_delete_stranger assertion: misuse: the list is empty, or the node is in no list
//: about dl_delete_stranger segv: misuse: the node is in no list
#include "utlist-straight.h"
