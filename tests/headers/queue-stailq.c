// The operations of singly linked lists with a tail: STAILQ of <sys/queue.h>.
#include "check.h"
#include <bsd/sys/queue.h>

#define MACRO(name) STAILQ_##name
#define WRAPPER(name) stailq_##name
#define FIRST(list) ((list)->stqh_first)
#define NEXT(node) ((node)->link.stqe_next)
#define INSERT_AFTER(list, node, added) STAILQ_INSERT_AFTER(list, node, added, link)
#define REMOVE(list, at) STAILQ_REMOVE(list, at, node, link)
#define CONCAT(list, other) STAILQ_CONCAT(list, other)
#define SWAP(list, other) STAILQ_SWAP(list, other, node)

struct node {
    STAILQ_ENTRY(node) link;
    int value;
};
STAILQ_HEAD(list, node);

static int valid(const struct list *list)
{
    int length = 0;
    if (!list)
        return 0;
    struct node *const *from = &list->stqh_first;
    for (; *from; from = &(*from)->link.stqe_next) {
        if (++length > MOST)
            return 0;
    }
    return list->stqh_last == from;
}

static void check_links(const struct list *list, const struct node *added)
{
    (void)added;
    ensure(!*list->stqh_last);
}

//: about stailq_remove_stranger segv: misuse: the node is not in the list, and the search for it runs off the end
#include "queue-operations.h"

//: explore --valid list:valid
void stailq_last(struct list *list)
{
    struct node *last = STAILQ_LAST(list, node, link);
    ensure(last == last_of(list));
}

//: explore --valid list:valid
void stailq_insert_tail(struct list *list, int value)
{
    struct node added = {.value = value};
    STAILQ_INSERT_TAIL(list, &added, link);
    ensure(list->stqh_last == &added.link.stqe_next);
    ensure(last_of(list) == &added);
}

//: explore --valid place:valid_place
//: segv: misuse: there is no node after the last one
void stailq_remove_after(struct place place)
{
    STAILQ_REMOVE_AFTER(place.list, place.node, link);
    ensure(valid_place(place));
}

//: explore --valid list:valid
//: segv: misuse: an empty list has no first node
void stailq_remove_head(struct list *list)
{
    STAILQ_REMOVE_HEAD(list, link);
    ensure(valid(list));
}
