// The operations of doubly linked lists with a tail: TAILQ of <sys/queue.h>.
#include "check.h"
#include <bsd/sys/queue.h>

struct node {
    TAILQ_ENTRY(node) link;
    int value;
};
TAILQ_HEAD(list, node);

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
    struct node *const *from = &list->tqh_first;
    for (; *from; from = &(*from)->link.tqe_next) {
        if ((*from)->link.tqe_prev != from || ++length > MOST)
            return 0;
    }
    return list->tqh_last == from;
}

static int valid_start(struct place place)
{
    if (!valid(place.list))
        return 0;
    if (!place.node)
        return 1;
    for (const struct node *node = place.list->tqh_first; node; node = node->link.tqe_next) {
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
    for (const struct node *node = list->tqh_first; node; node = node->link.tqe_next)
        last = node;
    return last;
}

// Two lists that have no node in common.
static int valid_pair(struct pair pair)
{
    if (pair.list == pair.other || !valid(pair.list) || !valid(pair.other))
        return 0;
    return !pair.list->tqh_first || last_of(pair.list) != last_of(pair.other);
}

//: explore --valid list:valid
void tailq_init(struct list *list)
{
    TAILQ_INIT(list);
    ensure(TAILQ_EMPTY(list));
    ensure(valid(list));
}

//: explore --valid list:valid
int tailq_empty(struct list *list)
{
    return TAILQ_EMPTY(list);
}

//: explore --valid list:valid
struct node *tailq_first(struct list *list)
{
    return TAILQ_FIRST(list);
}

//: explore --valid place:valid_place
struct node *tailq_next(struct place place)
{
    return TAILQ_NEXT(place.node, link);
}

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
int tailq_foreach(struct list *list)
{
    struct node *node;
    int sum = 0;
    TAILQ_FOREACH(node, list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid place:valid_start
int tailq_foreach_from(struct place place)
{
    struct node *node = place.node;
    int sum = 0;
    TAILQ_FOREACH_FROM(node, place.list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid list:valid
void tailq_foreach_safe(struct list *list)
{
    struct node *node, *next;
    TAILQ_FOREACH_SAFE(node, list, link, next)
        node->link.tqe_next = NULL;
}

//: explore --valid place:valid_start
void tailq_foreach_from_safe(struct place place)
{
    struct node *node = place.node, *next;
    TAILQ_FOREACH_FROM_SAFE(node, place.list, link, next)
        node->link.tqe_next = NULL;
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
void tailq_insert_head(struct list *list, int value)
{
    struct node added = {.value = value};
    struct node *first = list->tqh_first;
    TAILQ_INSERT_HEAD(list, &added, link);
    ensure(list->tqh_first == &added);
    ensure(added.link.tqe_next == first);
    ensure(!*list->tqh_last);
    ensure(added.link.tqe_prev == &list->tqh_first);
}

//: explore --valid list:valid
void tailq_insert_tail(struct list *list, int value)
{
    struct node added = {.value = value};
    TAILQ_INSERT_TAIL(list, &added, link);
    ensure(list->tqh_last == &added.link.tqe_next);
    ensure(last_of(list) == &added);
    ensure(*added.link.tqe_prev == &added);
}

//: explore --valid place:valid_place
void tailq_insert_after(struct place place, int value)
{
    struct node added = {.value = value};
    struct node *next = place.node->link.tqe_next;
    TAILQ_INSERT_AFTER(place.list, place.node, &added, link);
    ensure(place.node->link.tqe_next == &added);
    ensure(added.link.tqe_next == next);
    ensure(added.link.tqe_prev == &place.node->link.tqe_next);
    ensure(!*place.list->tqh_last);
}

//: explore --valid place:valid_place
void tailq_insert_before(struct place place, int value)
{
    struct node added = {.value = value};
    struct node **from = place.node->link.tqe_prev;
    TAILQ_INSERT_BEFORE(place.node, &added, link);
    ensure(*from == &added);
    ensure(added.link.tqe_prev == from);
    ensure(added.link.tqe_next == place.node);
    ensure(place.node->link.tqe_prev == &added.link.tqe_next);
}

//: explore --valid place:valid_place
void tailq_remove(struct place place)
{
    TAILQ_REMOVE(place.list, place.node, link);
    ensure(valid(place.list));
    ensure(!valid_place(place));
}

//: explore --valid list:valid
//: segv: misuse: the node is in no list, and what it says was before it is nowhere
void tailq_remove_stranger(struct list *list, struct node *node)
{
    TAILQ_REMOVE(list, node, link);
}

//: explore --valid pair:valid_pair
void tailq_concat(struct pair pair)
{
    const struct node *end = last_of(pair.other) ? last_of(pair.other) : last_of(pair.list);
    TAILQ_CONCAT(pair.list, pair.other, link);
    ensure(last_of(pair.list) == end);
    ensure(!*pair.list->tqh_last);
    ensure(valid(pair.other));
}

//: explore --valid pair:valid_pair
void tailq_swap(struct pair pair)
{
    TAILQ_SWAP(pair.list, pair.other, node, link);
    ensure(valid_pair(pair));
}
