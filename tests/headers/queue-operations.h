// The operations that all lists of <sys/queue.h> have. Before it is included stand `struct node` with
// its `link`, `struct list` and its verifier `valid`, the names of the kind (`MACRO(INIT)` is TAILQ_INIT,
// `WRAPPER(init)` the function around it, `FIRST(list)` and `NEXT(node)` its members), those operations
// whose parameters differ, and `check_links`, which looks at what else leads to a node that was added.
#ifndef QUEUE_OPERATIONS_H
#define QUEUE_OPERATIONS_H

#include "check.h"

// A list and one of its nodes, or none.
struct place {
    struct list *list;
    struct node *node;
};

struct pair {
    struct list *list;
    struct list *other;
};

static int valid_start(struct place place)
{
    if (!valid(place.list))
        return 0;
    if (!place.node)
        return 1;
    for (const struct node *node = FIRST(place.list); node; node = NEXT(node)) {
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
    for (const struct node *node = FIRST(list); node; node = NEXT(node))
        last = node;
    return last;
}

// Two lists that have no node in common.
static int valid_pair(struct pair pair)
{
    if (pair.list == pair.other || !valid(pair.list) || !valid(pair.other))
        return 0;
    return !FIRST(pair.list) || last_of(pair.list) != last_of(pair.other);
}

//: explore --valid list:valid
void WRAPPER(init)(struct list *list)
{
    MACRO(INIT)(list);
    ensure(MACRO(EMPTY)(list));
    ensure(valid(list));
}

//: explore --valid list:valid
int WRAPPER(empty)(struct list *list)
{
    return MACRO(EMPTY)(list);
}

//: explore --valid list:valid
struct node *WRAPPER(first)(struct list *list)
{
    return MACRO(FIRST)(list);
}

//: explore --valid place:valid_place
struct node *WRAPPER(next)(struct place place)
{
    return MACRO(NEXT)(place.node, link);
}

//: explore --valid list:valid
int WRAPPER(foreach)(struct list *list)
{
    struct node *node;
    int sum = 0;
    MACRO(FOREACH)(node, list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid place:valid_start
int WRAPPER(foreach_from)(struct place place)
{
    struct node *node = place.node;
    int sum = 0;
    MACRO(FOREACH_FROM)(node, place.list, link)
        sum ^= node->value;
    return sum;
}

//: explore --valid list:valid
void WRAPPER(foreach_safe)(struct list *list)
{
    struct node *node, *next;
    MACRO(FOREACH_SAFE)(node, list, link, next)
        NEXT(node) = NULL;
}

//: explore --valid place:valid_start
void WRAPPER(foreach_from_safe)(struct place place)
{
    struct node *node = place.node, *next;
    MACRO(FOREACH_FROM_SAFE)(node, place.list, link, next)
        NEXT(node) = NULL;
}

//: explore --valid list:valid
void WRAPPER(insert_head)(struct list *list, int value)
{
    struct node added = {.value = value};
    struct node *first = FIRST(list);
    MACRO(INSERT_HEAD)(list, &added, link);
    ensure(FIRST(list) == &added);
    ensure(NEXT(&added) == first);
    check_links(list, &added);
}

//: explore --valid place:valid_place
void WRAPPER(insert_after)(struct place place, int value)
{
    struct node added = {.value = value};
    struct node *next = NEXT(place.node);
    INSERT_AFTER(place.list, place.node, &added);
    ensure(NEXT(place.node) == &added);
    ensure(NEXT(&added) == next);
    check_links(place.list, &added);
}

//: explore --valid place:valid_place
void WRAPPER(remove)(struct place place)
{
    REMOVE(place.list, place.node);
    ensure(valid(place.list));
    ensure(!valid_place(place));
}

//: explore --valid list:valid
void WRAPPER(remove_stranger)(struct list *list, struct node *node)
{
    REMOVE(list, node);
    (void)list;
}

//: explore --valid pair:valid_pair
void WRAPPER(concat)(struct pair pair)
{
    const struct node *end = last_of(pair.other) ? last_of(pair.other) : last_of(pair.list);
    CONCAT(pair.list, pair.other);
    ensure(last_of(pair.list) == end);
    ensure(MACRO(EMPTY)(pair.other));
    ensure(valid(pair.other));
}

//: explore --valid pair:valid_pair
void WRAPPER(swap)(struct pair pair)
{
    SWAP(pair.list, pair.other);
    ensure(valid_pair(pair));
}

#endif
