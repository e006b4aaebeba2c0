// A doubly linked list of numbers whose nodes belong to the caller. With BUGGY, appending an empty
// list crashes.
#include "dlist.h"
#include <stddef.h>

int dlist_check(const struct dlist *list)
{
    if (list == NULL)
        return 0;
    const struct dlist_node *before = NULL;
    for (const struct dlist_node *node = list->first; node != NULL; node = node->next) {
        if (node->prev != before)
            return 0;
        before = node;
    }
    return list->last == before;
}

void dlist_init(struct dlist *list)
{
    list->first = NULL;
    list->last = NULL;
}

int dlist_length(const struct dlist *list)
{
    int length = 0;
    for (const struct dlist_node *node = list->first; node != NULL; node = node->next)
        length++;
    return length;
}

struct dlist_node *dlist_find(const struct dlist *list, int value)
{
    struct dlist_node *node = list->first;
    while (node != NULL && node->value != value)
        node = node->next;
    return node;
}

struct dlist_node *dlist_find_last(const struct dlist *list, int value)
{
    struct dlist_node *node = list->last;
    while (node != NULL && node->value != value)
        node = node->prev;
    return node;
}

int dlist_contains(const struct dlist *list, int value)
{
    return dlist_find(list, value) != NULL;
}

struct dlist_node *dlist_at(const struct dlist *list, int place)
{
    if (place < 0) {
        struct dlist_node *node = list->last;
        for (; node != NULL && place < -1; place++)
            node = node->prev;
        return node;
    }
    struct dlist_node *node = list->first;
    for (; node != NULL && place > 0; place--)
        node = node->next;
    return node;
}

// Whether this very node is in the list.
static int holds(const struct dlist *list, const struct dlist_node *node)
{
    const struct dlist_node *other = list->first;
    while (other != NULL && other != node)
        other = other->next;
    return other != NULL;
}

// Puts a node between two neighbours, NULL at an end.
static void link_between(struct dlist *list, struct dlist_node *before, struct dlist_node *node,
                         struct dlist_node *after)
{
    node->prev = before;
    node->next = after;
    if (before != NULL)
        before->next = node;
    else
        list->first = node;
    if (after != NULL)
        after->prev = node;
    else
        list->last = node;
}

// Takes a node of the list out.
static void unlink_node(struct dlist *list, struct dlist_node *node)
{
    if (node->prev != NULL)
        node->prev->next = node->next;
    else
        list->first = node->next;
    if (node->next != NULL)
        node->next->prev = node->prev;
    else
        list->last = node->prev;
    node->next = NULL;
    node->prev = NULL;
}

int dlist_add_first(struct dlist *list, struct dlist_node *node)
{
    if (node == NULL || holds(list, node))
        return 0;
    link_between(list, NULL, node, list->first);
    return 1;
}

int dlist_add_last(struct dlist *list, struct dlist_node *node)
{
    if (node == NULL || holds(list, node))
        return 0;
    link_between(list, list->last, node, NULL);
    return 1;
}

int dlist_add_after(struct dlist *list, struct dlist_node *place, struct dlist_node *node)
{
    if (node == NULL || holds(list, node) || !holds(list, place))
        return 0;
    link_between(list, place, node, place->next);
    return 1;
}

int dlist_remove(struct dlist *list, struct dlist_node *node)
{
    if (!holds(list, node))
        return 0;
    unlink_node(list, node);
    return 1;
}

struct dlist_node *dlist_remove_first(struct dlist *list)
{
    struct dlist_node *node = list->first;
    if (node != NULL)
        unlink_node(list, node);
    return node;
}

struct dlist_node *dlist_remove_last(struct dlist *list)
{
    struct dlist_node *node = list->last;
    if (node != NULL)
        unlink_node(list, node);
    return node;
}

int dlist_remove_all(struct dlist *list, int value)
{
    int removed = 0;
    struct dlist_node *node = list->first;
    while (node != NULL) {
        struct dlist_node *next = node->next;
        if (node->value == value) {
            unlink_node(list, node);
            removed++;
        }
        node = next;
    }
    return removed;
}

int dlist_concat(struct dlist *list, struct dlist *other)
{
#ifndef BUGGY
    if (other->first == NULL)
        return 1;
#endif
    if (list->first == NULL) {
        list->first = other->first;
    } else {
        // A node has one node before it: lists that share one share the first one, too.
        if (list->first == other->first)
            return 0;
        list->last->next = other->first;
        other->first->prev = list->last;
    }
    list->last = other->last;
    dlist_init(other);
    return 1;
}

void dlist_reverse(struct dlist *list)
{
    struct dlist_node *node = list->first;
    list->first = list->last;
    list->last = node;
    while (node != NULL) {
        struct dlist_node *next = node->next;
        node->next = node->prev;
        node->prev = next;
        node = next;
    }
}

void dlist_sort(struct dlist *list)
{
    struct dlist_node *node = list->first;
    while (node != NULL) {
        struct dlist_node *next = node->next;
        struct dlist_node *before = node->prev;
        while (before != NULL && before->value > node->value)
            before = before->prev;
        if (before != node->prev) {
            unlink_node(list, node);
            link_between(list, before, node, before != NULL ? before->next : list->first);
        }
        node = next;
    }
}

int dlist_is_palindrome(const struct dlist *list)
{
    const struct dlist_node *left = list->first;
    const struct dlist_node *right = list->last;
    while (left != right && left->prev != right) {
        if (left->value != right->value)
            return 0;
        left = left->next;
        right = right->prev;
    }
    return 1;
}
