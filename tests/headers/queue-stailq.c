// The operations of singly linked lists with a tail: STAILQ of <sys/queue.h>.
#include "check.h"
#include <bsd/sys/queue.h>

struct node {
    STAILQ_ENTRY(node) link;
    int value;
};
STAILQ_HEAD(list, node);

// A list and one of its nodes, or none.
struct place {
    struct list *list;
    struct node *node;
};

struct pair {
    struct list *list;
    struct list *other;
};

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

static int valid_start(struct place place)
{
    if (!valid(place.list))
        return 0;
    if (!place.node)
        return 1;
    for (const struct node *node = place.list->stqh_first; node; node = node->link.stqe_next) {
        if (node == place.node)
            return 1;
    }
    return 0;
}

static int valid_place(struct place place)
{
    return place.node && valid_start(place);
}

static const struct node *last_of(const struct list *list)
{
    const struct node *last = NULL;
    for (const struct node *node = list->stqh_first; node; node = node->link.stqe_next)
        last = node;
    return last;
}

// Two lists that have no node in common.
static int valid_pair(struct pair pair)
{
    if (pair.list == pair.other || !valid(pair.list) || !valid(pair.other))
        return 0;
    return !pair.list->stqh_first || last_of(pair.list) != last_of(pair.other);
}

//: explore --valid list:valid
void stailq_init(struct list *list)
{
    STAILQ_INIT(list);
    ensure(STAILQ_EMPTY(list));
    ensure(valid(list));
}

//: explore --valid list:valid
int stailq_empty(struct list *list)
{
    return STAILQ_EMPTY(list);
}

//: explore --valid list:valid
struct node *stailq_first(struct list *list)
{
    return STAILQ_FIRST(list);
}

//: explore --valid place:valid_place
struct node *stailq_next(struct place place)
{
    return STAILQ_NEXT(place.node, link);
}

//: explore --valid list:valid
void stailq_last(struct list *list)
{
    struct node *last = STAILQ_LAST(list, node, link);
    ensure(last == last_of(list));
}

//: explore --valid list:valid
int stailq_foreach(struct list *list)
{
    struct node *node;
    int sum = 0;
    STAILQ_FOREACH(node, list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid place:valid_start
int stailq_foreach_from(struct place place)
{
    struct node *node = place.node;
    int sum = 0;
    STAILQ_FOREACH_FROM(node, place.list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid list:valid
void stailq_foreach_safe(struct list *list)
{
    struct node *node, *next;
    STAILQ_FOREACH_SAFE(node, list, link, next)
        node->link.stqe_next = NULL;
}

//: explore --valid place:valid_start
void stailq_foreach_from_safe(struct place place)
{
    struct node *node = place.node, *next;
    STAILQ_FOREACH_FROM_SAFE(node, place.list, link, next)
        node->link.stqe_next = NULL;
}

//: explore --valid list:valid
void stailq_insert_head(struct list *list, int value)
{
    struct node added = {.value = value};
    struct node *first = list->stqh_first;
    STAILQ_INSERT_HEAD(list, &added, link);
    ensure(list->stqh_first == &added);
    ensure(added.link.stqe_next == first);
    ensure(!*list->stqh_last);
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
void stailq_insert_after(struct place place, int value)
{
    struct node added = {.value = value};
    struct node *next = place.node->link.stqe_next;
    STAILQ_INSERT_AFTER(place.list, place.node, &added, link);
    ensure(place.node->link.stqe_next == &added);
    ensure(added.link.stqe_next == next);
    ensure(!*place.list->stqh_last);
}

//: explore --valid place:valid_place
void stailq_remove(struct place place)
{
    STAILQ_REMOVE(place.list, place.node, node, link);
    ensure(valid(place.list));
    ensure(!valid_place(place));
}

//: explore --valid list:valid
//: segv: misuse: the node is not in the list, and the search for it runs off the end
void stailq_remove_stranger(struct list *list, struct node *node)
{
    STAILQ_REMOVE(list, node, node, link);
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

//: explore --valid pair:valid_pair
void stailq_concat(struct pair pair)
{
    const struct node *end = last_of(pair.other) ? last_of(pair.other) : last_of(pair.list);
    STAILQ_CONCAT(pair.list, pair.other);
    ensure(last_of(pair.list) == end);
    ensure(!*pair.list->stqh_last);
    ensure(valid(pair.other));
}

//: explore --valid pair:valid_pair
void stailq_swap(struct pair pair)
{
    STAILQ_SWAP(pair.list, pair.other, node);
    ensure(valid_pair(pair));
}
