// The operations of circular lists: CDL of <utlist.h>.
#include "check.h"
#include <utlist.h>

struct node {
    int value;
    struct node *prev, *next;
};

// A list and one of its nodes, or none.
struct place {
    struct node *head;
    struct node *node;
};

static int valid(const struct node *head)
{
    int length = 0;
    if (!head)
        return 1;
    const struct node *node = head;
    do {
        if (!node->next || node->next->prev != node || ++length > MOST)
            return 0;
        node = node->next;
    } while (node != head);
    return 1;
}

static int sorted(const struct node *head)
{
    if (!valid(head))
        return 0;
    if (!head)
        return 1;
    for (const struct node *node = head; node->next != head; node = node->next) {
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
    const struct node *node = place.head;
    if (!node)
        return 0;
    do {
        if (node == place.node)
            return 1;
        node = node->next;
    } while (node != place.head);
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
void cdl_append(struct node *head, int value)
{
    struct node added = {.value = value};
    CDL_APPEND(head, &added);
    ensure(head->prev == &added);
}

//: explore --valid node:valid
void cdl_prepend(struct node *head, int value)
{
    struct node added = {.value = value};
    struct node *first = head;
    CDL_PREPEND(head, &added);
    ensure(head == &added);
    ensure(!first || added.next == first);
}

//: explore --valid place:valid_place
void cdl_delete(struct place place)
{
    CDL_DELETE(place.head, place.node);
    ensure(valid(place.head));
    ensure(!valid_place(place));
}

//: explore --valid node:valid
int cdl_count(struct node *head)
{
    struct node *node;
    int count;
    CDL_COUNT(head, node, count);
    return count;
}

//: explore --valid node:valid
int cdl_foreach(struct node *head)
{
    struct node *node;
    int sum = 0;
    CDL_FOREACH(head, node)
        sum ^= node->value;
    return sum;
}

//: explore --valid node:valid
struct node *cdl_search_scalar(struct node *head, int value)
{
    struct node *found;
    CDL_SEARCH_SCALAR(head, found, value, value);
    return found;
}

//: explore --valid node:valid
struct node *cdl_search(struct node *head, int value)
{
    struct node wanted = {.value = value}, *found;
    CDL_SEARCH(head, found, &wanted, compare);
    return found;
}

//: explore --valid node:sorted
void cdl_lower_bound(struct node *head, int value)
{
    struct node wanted = {.value = value}, *found;
    CDL_LOWER_BOUND(head, found, &wanted, compare);
    ensure(!found || found->value < value);
}

//: explore --valid node:sorted
void cdl_insert_inorder(struct node *head, int value)
{
    struct node added = {.value = value};
    CDL_INSERT_INORDER(head, &added, compare);
    ensure(head == &added || head->value < value);
}

//: explore --valid place:valid_place
//: unreached 2: assertions of the header that hold for every node of a list
void cdl_replace_elem(struct place place, int value)
{
    struct node added = {.value = value};
    CDL_REPLACE_ELEM(place.head, place.node, &added);
    ensure(!valid_place(place));
}

//: explore --valid place:valid_start
void cdl_prepend_elem(struct place place, int value)
{
    struct node added = {.value = value};
    CDL_PREPEND_ELEM(place.head, place.node, &added);
    ensure(!place.node || added.next == place.node);
}

//: explore --valid place:valid_start
void cdl_append_elem(struct place place, int value)
{
    struct node added = {.value = value};
    CDL_APPEND_ELEM(place.head, place.node, &added);
    ensure(!place.node || place.node->next == &added);
}

//: explore --valid node:valid
void cdl_sort(struct node *head)
{
    CDL_SORT(head, compare);
    ensure(sorted(head));
}

//: explore --valid node:valid
void cdl_foreach_safe(struct node *head)
{
    struct node *node, *last, *next;
    CDL_FOREACH_SAFE(head, node, last, next)
        node->next = NULL;
}

//: explore --valid node:valid
//: segv: misuse: the node is in no list
void cdl_delete_stranger(struct node *head, struct node *node)
{
    CDL_DELETE(head, node);
    (void)head;
}
