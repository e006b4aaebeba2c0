// The operations of doubly linked lists: LIST of <sys/queue.h>.
#include "check.h"
#include <bsd/sys/queue.h>

struct node {
    LIST_ENTRY(node) link;
    int value;
};
LIST_HEAD(list, node);

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
    struct node *const *from = &list->lh_first;
    for (; *from; from = &(*from)->link.le_next) {
        if ((*from)->link.le_prev != from || ++length > MOST)
            return 0;
    }
    return 1;
}

static int valid_start(struct place place)
{
    if (!valid(place.list))
        return 0;
    if (!place.node)
        return 1;
    for (const struct node *node = place.list->lh_first; node; node = node->link.le_next) {
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
    for (const struct node *node = list->lh_first; node; node = node->link.le_next)
        last = node;
    return last;
}

// Two lists that have no node in common.
static int valid_pair(struct pair pair)
{
    if (pair.list == pair.other || !valid(pair.list) || !valid(pair.other))
        return 0;
    return !pair.list->lh_first || last_of(pair.list) != last_of(pair.other);
}

//: explore --valid list:valid
void list_init(struct list *list)
{
    LIST_INIT(list);
    ensure(LIST_EMPTY(list));
    ensure(valid(list));
}

//: explore --valid list:valid
int list_empty(struct list *list)
{
    return LIST_EMPTY(list);
}

//: explore --valid list:valid
struct node *list_first(struct list *list)
{
    return LIST_FIRST(list);
}

//: explore --valid place:valid_place
struct node *list_next(struct place place)
{
    return LIST_NEXT(place.node, link);
}

//: explore --valid place:valid_place
void list_prev(struct place place)
{
    struct node *before = LIST_PREV(place.node, place.list, node, link);
    ensure(!before || before->link.le_next == place.node);
}

//: explore --valid list:valid
int list_foreach(struct list *list)
{
    struct node *node;
    int sum = 0;
    LIST_FOREACH(node, list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid place:valid_start
int list_foreach_from(struct place place)
{
    struct node *node = place.node;
    int sum = 0;
    LIST_FOREACH_FROM(node, place.list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid list:valid
void list_foreach_safe(struct list *list)
{
    struct node *node, *next;
    LIST_FOREACH_SAFE(node, list, link, next)
        node->link.le_next = NULL;
}

//: explore --valid place:valid_start
void list_foreach_from_safe(struct place place)
{
    struct node *node = place.node, *next;
    LIST_FOREACH_FROM_SAFE(node, place.list, link, next)
        node->link.le_next = NULL;
}

//: explore --valid list:valid
void list_insert_head(struct list *list, int value)
{
    struct node added = {.value = value};
    struct node *first = list->lh_first;
    LIST_INSERT_HEAD(list, &added, link);
    ensure(list->lh_first == &added);
    ensure(added.link.le_next == first);
    ensure(added.link.le_prev == &list->lh_first);
}

//: explore --valid place:valid_place
void list_insert_after(struct place place, int value)
{
    struct node added = {.value = value};
    struct node *next = place.node->link.le_next;
    LIST_INSERT_AFTER(place.node, &added, link);
    ensure(place.node->link.le_next == &added);
    ensure(added.link.le_next == next);
    ensure(added.link.le_prev == &place.node->link.le_next);
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

//: explore --valid place:valid_place
void list_remove(struct place place)
{
    LIST_REMOVE(place.node, link);
    ensure(valid(place.list));
    ensure(!valid_place(place));
}

//: explore --valid list:valid
//: segv: misuse: the node is in no list, and what it says was before it is nowhere
void list_remove_stranger(struct list *list, struct node *node)
{
    LIST_REMOVE(node, link);
    (void)list;
}

//: explore --valid pair:valid_pair
void list_concat(struct pair pair)
{
    const struct node *end = last_of(pair.other) ? last_of(pair.other) : last_of(pair.list);
    LIST_CONCAT(pair.list, pair.other, node, link);
    ensure(last_of(pair.list) == end);
    ensure(LIST_EMPTY(pair.other));
}

//: explore --valid pair:valid_pair
void list_swap(struct pair pair)
{
    LIST_SWAP(pair.list, pair.other, node, link);
    ensure(valid_pair(pair));
}
