// The operations of doubly linked lists with a tail: TAILQ of <sys/queue.h>.
#include "check.h"
#include <bsd/sys/queue.h>

#define MACRO(name) TAILQ_##name
#define WRAPPER(name) tailq_##name
#define FIRST(list) ((list)->tqh_first)
#define NEXT(node) ((node)->link.tqe_next)
#define INSERT_AFTER(list, node, added) TAILQ_INSERT_AFTER(list, node, added, link)
#define REMOVE(list, node) TAILQ_REMOVE(list, node, link)
#define CONCAT(list, other) TAILQ_CONCAT(list, other, link)
#define SWAP(list, other) TAILQ_SWAP(list, other, node, link)

struct node {
    TAILQ_ENTRY(node) link;
    int value;
};
TAILQ_HEAD(list, node);

static int valid(const struct list *list)
{
    int length = 0;
    if (!list)
        return 0;
    struct node *const *from = &list->tqh_first;
    for (; *from; from = &(*from)->link.tqe_next) {
        if ((*from)->link.tqe_prev != from || ++length > MOST)
            return 0;
    }
    return list->tqh_last == from;
}

static void check_links(const struct list *list, const struct node *added)
{
    ensure(!*list->tqh_last);
    ensure(*added->link.tqe_prev == added);
}

//: about tailq_remove_stranger segv: misuse: there is no node, or it is in no list and what it says was before it is nowhere
#include "queue-operations.h"

//: explore --valid place:valid_place
void tailq_prev(struct place place)
{
    struct node *before = TAILQ_PREV(place.node, list, link);
    ensure(!before || before->link.tqe_next == place.node);
}

//: explore --valid place:valid_place
void tailq_prev_fast(struct place place)
{
    struct node *before = TAILQ_PREV_FAST(place.node, place.list, node, link);
    ensure(!before || before->link.tqe_next == place.node);
}

//: explore --valid list:valid
void tailq_last(struct list *list)
{
    struct node *last = TAILQ_LAST(list, list);
    ensure(last == last_of(list));
}

//: explore --valid list:valid
void tailq_last_fast(struct list *list)
{
    struct node *last = TAILQ_LAST_FAST(list, node, link);
    ensure(last == last_of(list));
}

//: explore --valid list:valid
int tailq_foreach_reverse(struct list *list)
{
    struct node *node;
    int sum = 0;
    TAILQ_FOREACH_REVERSE(node, list, list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid place:valid_start
int tailq_foreach_reverse_from(struct place place)
{
    struct node *node = place.node;
    int sum = 0;
    TAILQ_FOREACH_REVERSE_FROM(node, place.list, list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid list:valid
void tailq_foreach_reverse_safe(struct list *list)
{
    struct node *node, *next;
    TAILQ_FOREACH_REVERSE_SAFE(node, list, list, link, next)
        node->link.tqe_next = NULL;
}

//: explore --valid place:valid_start
void tailq_foreach_reverse_from_safe(struct place place)
{
    struct node *node = place.node, *next;
    TAILQ_FOREACH_REVERSE_FROM_SAFE(node, place.list, list, link, next)
        node->link.tqe_next = NULL;
}

//: explore --valid list:valid
void tailq_insert_tail(struct list *list, int value)
{
    struct node added = {.value = value};
    TAILQ_INSERT_TAIL(list, &added, link);
    ensure(list->tqh_last == &added.link.tqe_next);
    ensure(last_of(list) == &added);
    check_links(list, &added);
}

//: explore --valid place:valid_place
void tailq_insert_before(struct place place, int value)
{
    struct node added = {.value = value};
    struct node **from = place.node->link.tqe_prev;
    TAILQ_INSERT_BEFORE(place.node, &added, link);
    ensure(*from == &added);
    ensure(added.link.tqe_next == place.node);
    ensure(place.node->link.tqe_prev == &added.link.tqe_next);
    check_links(place.list, &added);
}
