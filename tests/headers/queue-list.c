// The operations of doubly linked lists: LIST of <sys/queue.h>.
#include "check.h"
#include <bsd/sys/queue.h>

#define MACRO(name) LIST_##name
#define WRAPPER(name) list_##name
#define FIRST(list) ((list)->lh_first)
#define NEXT(node) ((node)->link.le_next)
#define INSERT_AFTER(list, node, added) LIST_INSERT_AFTER(node, added, link)
#define REMOVE(list, node) LIST_REMOVE(node, link)
#define CONCAT(list, other) LIST_CONCAT(list, other, node, link)
#define SWAP(list, other) LIST_SWAP(list, other, node, link)

struct node {
    LIST_ENTRY(node) link;
    int value;
};
LIST_HEAD(list, node);

static int valid(const struct list *list)
{
    int length = 0;
    if (!list)
        return 0;
    struct node *const *from = &list->lh_first;
    for (; *from; from = &(*from)->link.le_next) {
        if ((*from)->link.le_prev != from || ++length > MOST)
            return 0;
    }
    return 1;
}

static void check_links(const struct list *list, const struct node *added)
{
    (void)list;
    ensure(*added->link.le_prev == added);
    ensure(!added->link.le_next || added->link.le_next->link.le_prev == &added->link.le_next);
}

//: about list_remove_stranger segv: misuse: there is no node, or it is in no list and what it says was before it is nowhere
#include "queue-operations.h"

//: explore --valid place:valid_place
void list_prev(struct place place)
{
    struct node *before = LIST_PREV(place.node, place.list, node, link);
    ensure(!before || before->link.le_next == place.node);
}

//: explore --valid place:valid_place
void list_insert_before(struct place place, int value)
{
    struct node added = {.value = value};
    struct node **from = place.node->link.le_prev;
    LIST_INSERT_BEFORE(place.node, &added, link);
    ensure(*from == &added);
    ensure(added.link.le_prev == from);
    ensure(added.link.le_next == place.node);
    ensure(place.node->link.le_prev == &added.link.le_next);
}
