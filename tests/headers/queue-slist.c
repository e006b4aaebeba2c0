// The operations of singly linked lists: SLIST of <sys/queue.h>.
#include "check.h"
#include <bsd/sys/queue.h>

struct node {
    SLIST_ENTRY(node) link;
    int value;
};
SLIST_HEAD(list, node);

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
    for (const struct node *node = list->slh_first; node; node = node->link.sle_next) {
        if (++length > MOST)
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
    for (const struct node *node = place.list->slh_first; node; node = node->link.sle_next) {
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
    for (const struct node *node = list->slh_first; node; node = node->link.sle_next)
        last = node;
    return last;
}

// Two lists that have no node in common.
static int valid_pair(struct pair pair)
{
    if (pair.list == pair.other || !valid(pair.list) || !valid(pair.other))
        return 0;
    return !pair.list->slh_first || last_of(pair.list) != last_of(pair.other);
}

//: explore --valid list:valid
void slist_init(struct list *list)
{
    SLIST_INIT(list);
    ensure(SLIST_EMPTY(list));
    ensure(valid(list));
}

//: explore --valid list:valid
int slist_empty(struct list *list)
{
    return SLIST_EMPTY(list);
}

//: explore --valid list:valid
struct node *slist_first(struct list *list)
{
    return SLIST_FIRST(list);
}

//: explore --valid place:valid_place
struct node *slist_next(struct place place)
{
    return SLIST_NEXT(place.node, link);
}

//: explore --valid list:valid
int slist_foreach(struct list *list)
{
    struct node *node;
    int sum = 0;
    SLIST_FOREACH(node, list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid place:valid_start
int slist_foreach_from(struct place place)
{
    struct node *node = place.node;
    int sum = 0;
    SLIST_FOREACH_FROM(node, place.list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid list:valid
void slist_foreach_safe(struct list *list)
{
    struct node *node, *next;
    SLIST_FOREACH_SAFE(node, list, link, next)
        node->link.sle_next = NULL;
}

//: explore --valid place:valid_start
void slist_foreach_from_safe(struct place place)
{
    struct node *node = place.node, *next;
    SLIST_FOREACH_FROM_SAFE(node, place.list, link, next)
        node->link.sle_next = NULL;
}

//: explore --valid list:valid
int slist_foreach_prevptr(struct list *list)
{
    struct node *node, **from;
    int sum = 0;
    SLIST_FOREACH_PREVPTR(node, from, list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid list:valid
void slist_insert_head(struct list *list, int value)
{
    struct node added = {.value = value};
    struct node *first = list->slh_first;
    SLIST_INSERT_HEAD(list, &added, link);
    ensure(list->slh_first == &added);
    ensure(added.link.sle_next == first);
}

//: explore --valid place:valid_place
void slist_insert_after(struct place place, int value)
{
    struct node added = {.value = value};
    struct node *next = place.node->link.sle_next;
    SLIST_INSERT_AFTER(place.node, &added, link);
    ensure(place.node->link.sle_next == &added);
    ensure(added.link.sle_next == next);
}

//: explore --valid place:valid_place
void slist_remove(struct place place)
{
    SLIST_REMOVE(place.list, place.node, node, link);
    ensure(valid(place.list));
    ensure(!valid_place(place));
}

//: explore --valid list:valid
//: segv: misuse: the node is not in the list, and the search for it runs off the end
void slist_remove_stranger(struct list *list, struct node *node)
{
    SLIST_REMOVE(list, node, node, link);
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

//: explore --valid pair:valid_pair
void slist_concat(struct pair pair)
{
    const struct node *end = last_of(pair.other) ? last_of(pair.other) : last_of(pair.list);
    SLIST_CONCAT(pair.list, pair.other, node, link);
    ensure(last_of(pair.list) == end);
    ensure(SLIST_EMPTY(pair.other));
}

//: explore --valid list:valid
//: abort: misuse: the lists share nodes, and what comes of them is a ring or ends elsewhere
void slist_concat_self(struct list *list, struct list *other)
{
    SLIST_CONCAT(list, other, node, link);
    ensure(valid(list));
}

//: explore --valid pair:valid_pair
void slist_swap(struct pair pair)
{
    SLIST_SWAP(pair.list, pair.other, node);
    ensure(valid_pair(pair));
}
