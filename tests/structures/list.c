// A linked list of numbers whose nodes belong to the caller.
#include "list.h"
#include <stddef.h>

int list_check(const struct list *list)
{
    if (list == NULL)
        return 0;
    // In a circle, the faster of two walkers meets the slower one.
    const struct list_node *slow = list->first;
    const struct list_node *fast = list->first;
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast)
            return 0;
    }
    return 1;
}

void list_init(struct list *list)
{
    list->first = NULL;
}

int list_length(const struct list *list)
{
    int length = 0;
    for (const struct list_node *node = list->first; node != NULL; node = node->next)
        length++;
    return length;
}

struct list_node *list_find(const struct list *list, int value)
{
    struct list_node *node = list->first;
    while (node != NULL && node->value != value)
        node = node->next;
    return node;
}

int list_contains(const struct list *list, int value)
{
    return list_find(list, value) != NULL;
}

struct list_node *list_at(const struct list *list, int place)
{
    if (place < 0)
        return NULL;
    struct list_node *node = list->first;
    while (node != NULL && place > 0) {
        node = node->next;
        place--;
    }
    return node;
}

// Whether this very node is in the list.
static int holds(const struct list *list, const struct list_node *node)
{
    const struct list_node *other = list->first;
    while (other != NULL && other != node)
        other = other->next;
    return other != NULL;
}

// Where the list ends: the last `next`, or `first` of an empty list.
static struct list_node **end_of(struct list *list)
{
    struct list_node **end = &list->first;
    while (*end != NULL)
        end = &(*end)->next;
    return end;
}

int list_add(struct list *list, struct list_node *node)
{
    if (node == NULL || holds(list, node))
        return 0;
    node->next = list->first;
    list->first = node;
    return 1;
}

int list_append(struct list *list, struct list_node *node)
{
    if (node == NULL || holds(list, node))
        return 0;
    node->next = NULL;
    *end_of(list) = node;
    return 1;
}

struct list_node *list_add_if_absent(struct list *list, struct list_node *node)
{
    if (node == NULL)
        return NULL;
    struct list_node *present = list_find(list, node->value);
    if (present != NULL)
        return present;
    node->next = list->first;
    list->first = node;
    return node;
}

int list_remove(struct list *list, struct list_node *node)
{
    struct list_node **place = &list->first;
    while (*place != NULL && *place != node)
        place = &(*place)->next;
    if (*place == NULL)
        return 0;
    *place = node->next;
    node->next = NULL;
    return 1;
}

struct list_node *list_remove_value(struct list *list, int value)
{
    struct list_node **place = &list->first;
    while (*place != NULL && (*place)->value != value)
        place = &(*place)->next;
    struct list_node *node = *place;
    if (node != NULL) {
        *place = node->next;
        node->next = NULL;
    }
    return node;
}

int list_concat(struct list *list, struct list *other)
{
    if (other->first == NULL)
        return 1;
    // Lists that share a node share all nodes after it.
    struct list_node **end = end_of(list);
    if (end == end_of(other))
        return 0;
    *end = other->first;
    other->first = NULL;
    return 1;
}

void list_reverse(struct list *list)
{
    struct list_node *reversed = NULL;
    while (list->first != NULL) {
        struct list_node *node = list->first;
        list->first = node->next;
        node->next = reversed;
        reversed = node;
    }
    list->first = reversed;
}

// One sorted chain of two.
static struct list_node *merge(struct list_node *a, struct list_node *b)
{
    struct list_node *merged = NULL;
    struct list_node **end = &merged;
    while (a != NULL && b != NULL) {
        struct list_node **smaller = b->value < a->value ? &b : &a;
        *end = *smaller;
        end = &(*smaller)->next;
        *smaller = *end;
    }
    *end = a != NULL ? a : b;
    return merged;
}

static struct list_node *sorted(struct list_node *first)
{
    if (first == NULL || first->next == NULL)
        return first;
    struct list_node *middle = first;
    for (struct list_node *end = first->next; end != NULL && end->next != NULL; end = end->next->next)
        middle = middle->next;
    struct list_node *second = middle->next;
    middle->next = NULL;
    return merge(sorted(first), sorted(second));
}

void list_sort(struct list *list)
{
    list->first = sorted(list->first);
}

int list_equal(const struct list *a, const struct list *b)
{
    const struct list_node *x = a->first;
    const struct list_node *y = b->first;
    while (x != NULL && y != NULL) {
        if (x->value != y->value)
            return 0;
        x = x->next;
        y = y->next;
    }
    return x == y;
}
