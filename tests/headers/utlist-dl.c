// The operations of doubly linked lists: DL of <utlist.h>.
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

struct pair {
    struct node *head;
    struct node *other;
};

static int valid(const struct node *head)
{
    int length = 0;
    if (!head)
        return 1;
    const struct node *node = head;
    for (; node->next; node = node->next) {
        if (node->next->prev != node || ++length >= MOST)
            return 0;
    }
    return head->prev == node;
}

static int sorted(const struct node *head)
{
    if (!valid(head))
        return 0;
    if (!head)
        return 1;
    for (; head->next; head = head->next) {
        if (head->value > head->next->value)
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
    for (const struct node *node = place.head; node; node = node->next) {
        if (node == place.node)
            return 1;
    }
    return 0;
}

static int valid_place(struct place place)
{
    return place.node && valid_start(place);
}

static const struct node *last_of(const struct node *head)
{
    return head ? head->prev : NULL;
}

// Two lists that have no node in common.
static int valid_pair(struct pair pair)
{
    if (!valid(pair.head) || !valid(pair.other))
        return 0;
    return !pair.head || last_of(pair.head) != last_of(pair.other);
}

static int compare(const struct node *a, const struct node *b)
{
    return (a->value > b->value) - (a->value < b->value);
}

//: explore --valid node:valid
void dl_append(struct node *head, int value)
{
    struct node added = {.value = value};
    DL_APPEND(head, &added);
    ensure(head->prev == &added);
}

//: explore --valid node:valid
void dl_prepend(struct node *head, int value)
{
    struct node added = {.value = value};
    struct node *first = head;
    DL_PREPEND(head, &added);
    ensure(head == &added);
    ensure(!first || added.next == first);
}

//: explore --valid place:valid_place
//: unreached 2: assertions of the header that hold for every node of a list
void dl_delete(struct place place)
{
    DL_DELETE(place.head, place.node);
    ensure(valid(place.head));
    ensure(!valid_place(place));
}

//: explore --valid node:valid
int dl_count(struct node *head)
{
    struct node *node;
    int count;
    DL_COUNT(head, node, count);
    return count;
}

//: explore --valid node:valid
int dl_foreach(struct node *head)
{
    struct node *node;
    int sum = 0;
    DL_FOREACH(head, node)
        sum ^= node->value;
    return sum;
}

//: explore --valid node:valid
struct node *dl_search_scalar(struct node *head, int value)
{
    struct node *found;
    DL_SEARCH_SCALAR(head, found, value, value);
    return found;
}

//: explore --valid node:valid
struct node *dl_search(struct node *head, int value)
{
    struct node wanted = {.value = value}, *found;
    DL_SEARCH(head, found, &wanted, compare);
    return found;
}

//: explore --valid node:sorted
void dl_lower_bound(struct node *head, int value)
{
    struct node wanted = {.value = value}, *found;
    DL_LOWER_BOUND(head, found, &wanted, compare);
    ensure(!found || found->value < value);
}

//: explore --valid node:sorted
void dl_insert_inorder(struct node *head, int value)
{
    struct node added = {.value = value};
    DL_INSERT_INORDER(head, &added, compare);
    ensure(head == &added || head->value < value);
}

//: explore --valid place:valid_place
//: unreached 2: assertions of the header that hold for every node of a list
void dl_replace_elem(struct place place, int value)
{
    struct node added = {.value = value};
    DL_REPLACE_ELEM(place.head, place.node, &added);
    ensure(!valid_place(place));
}

//: explore --valid place:valid_start
void dl_prepend_elem(struct place place, int value)
{
    struct node added = {.value = value};
    DL_PREPEND_ELEM(place.head, place.node, &added);
    ensure(!place.node || added.next == place.node);
}

//: explore --valid place:valid_start
void dl_append_elem(struct place place, int value)
{
    struct node added = {.value = value};
    DL_APPEND_ELEM(place.head, place.node, &added);
    ensure(!place.node || place.node->next == &added);
}

//: explore --valid node:valid
void dl_sort(struct node *head)
{
    DL_SORT(head, compare);
    ensure(sorted(head));
}

//: explore --valid pair:valid_pair
void dl_concat(struct pair pair)
{
    const struct node *end = last_of(pair.other) ? last_of(pair.other) : last_of(pair.head);
    DL_CONCAT(pair.head, pair.other);
    ensure(last_of(pair.head) == end);
}

//: explore --valid node:valid
void dl_foreach_safe(struct node *head)
{
    struct node *node, *next;
    DL_FOREACH_SAFE(head, node, next)
        node->next = NULL;
}

//: explore --valid node:valid
//: assertion: misuse: the list is empty, or the node is in no list
//: segv: misuse: the node is in no list
void dl_delete_stranger(struct node *head, struct node *node)
{
    DL_DELETE(head, node);
    (void)head;
}
