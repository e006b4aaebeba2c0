// The operations that all lists of <utlist.h> have. Before it is included stand `struct node` and its
// verifier `valid`, the names of the kind (`MACRO(APPEND)` is DL_APPEND, `WRAPPER(append)` the function
// around it), `next_of`, which is null for the last node, and `is_last`.
#ifndef UTLIST_OPERATIONS_H
#define UTLIST_OPERATIONS_H

#include "check.h"

// A list and one of its nodes, or none.
struct place {
    struct node *head;
    struct node *node;
};

static int sorted(const struct node *head)
{
    if (!valid(head))
        return 0;
    if (!head)
        return 1;
    for (const struct node *node = head; next_of(head, node); node = next_of(head, node)) {
        if (node->value > node->next->value)
            return 0;
    }
    return 1;
}

static int valid_start(struct place place)
{
    if (!valid(place.head))
        return 0;
    if (!place.node)
        return 1;
    for (const struct node *node = place.head; node; node = next_of(place.head, node)) {
        if (node == place.node)
            return 1;
    }
    return 0;
}

static int valid_place(struct place place)
{
    return place.node && valid_start(place);
}

static int compare(const struct node *a, const struct node *b)
{
    return (a->value > b->value) - (a->value < b->value);
}

//: explore --valid node:valid
void WRAPPER(append)(struct node *head, int value)
{
    struct node added = {.value = value};
    MACRO(APPEND)(head, &added);
    ensure(is_last(&added, head));
}

//: explore --valid node:valid
void WRAPPER(prepend)(struct node *head, int value)
{
    struct node added = {.value = value};
    struct node *first = head;
    MACRO(PREPEND)(head, &added);
    ensure(head == &added);
    ensure(!first || added.next == first);
}

//: explore --valid place:valid_place
void WRAPPER(delete)(struct place place)
{
    MACRO(DELETE)(place.head, place.node);
    ensure(valid(place.head));
    ensure(!valid_place(place));
}

//: explore --valid node:valid
void WRAPPER(delete_stranger)(struct node *head, struct node *node)
{
    MACRO(DELETE)(head, node);
    (void)head;
}

//: explore --valid node:valid
int WRAPPER(count)(struct node *head)
{
    struct node *node;
    int count;
    MACRO(COUNT)(head, node, count);
    return count;
}

//: explore --valid node:valid
int WRAPPER(foreach)(struct node *head)
{
    struct node *node;
    int sum = 0;
    MACRO(FOREACH)(head, node)
        sum ^= node->value;
    return sum;
}

//: explore --valid node:valid
struct node *WRAPPER(search_scalar)(struct node *head, int value)
{
    struct node *found;
    MACRO(SEARCH_SCALAR)(head, found, value, value);
    return found;
}

//: explore --valid node:valid
struct node *WRAPPER(search)(struct node *head, int value)
{
    struct node wanted = {.value = value}, *found;
    MACRO(SEARCH)(head, found, &wanted, compare);
    return found;
}

//: explore --valid node:sorted
void WRAPPER(lower_bound)(struct node *head, int value)
{
    struct node wanted = {.value = value}, *found;
    MACRO(LOWER_BOUND)(head, found, &wanted, compare);
    ensure(!found || found->value < value);
}

//: explore --valid node:sorted
void WRAPPER(insert_inorder)(struct node *head, int value)
{
    struct node added = {.value = value};
    MACRO(INSERT_INORDER)(head, &added, compare);
    ensure(head == &added || head->value < value);
}

//: explore --valid place:valid_place
//: unreached 2: assertions of the header that hold for every node of a list
void WRAPPER(replace_elem)(struct place place, int value)
{
    struct node added = {.value = value};
    MACRO(REPLACE_ELEM)(place.head, place.node, &added);
    ensure(!valid_place(place));
}

//: explore --valid place:valid_start
void WRAPPER(prepend_elem)(struct place place, int value)
{
    struct node added = {.value = value};
    MACRO(PREPEND_ELEM)(place.head, place.node, &added);
    ensure(!place.node || added.next == place.node);
}

//: explore --valid place:valid_start
void WRAPPER(append_elem)(struct place place, int value)
{
    struct node added = {.value = value};
    MACRO(APPEND_ELEM)(place.head, place.node, &added);
    ensure(!place.node || place.node->next == &added);
}

//: explore --valid node:valid
void WRAPPER(sort)(struct node *head)
{
    MACRO(SORT)(head, compare);
    ensure(sorted(head));
}

#endif
