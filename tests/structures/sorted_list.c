// A linked list of numbers in ascending order whose nodes belong to the caller.
#include "sorted_list.h"
#include <stddef.h>

int sorted_check(const struct sorted_list *list)
{
    if (list == NULL)
        return 0;
    const struct sorted_node *node = list->first;
    if (node == NULL)
        return 1;
    for (; node->next != NULL; node = node->next) {
        if (node->next->value <= node->value)
            return 0;
    }
    return 1;
}

void sorted_init(struct sorted_list *list)
{
    list->first = NULL;
}

int sorted_length(const struct sorted_list *list)
{
    int length = 0;
    for (const struct sorted_node *node = list->first; node != NULL; node = node->next)
        length++;
    return length;
}

// Where a node of this value stands, or would stand.
static struct sorted_node **place_of(struct sorted_list *list, int value)
{
    struct sorted_node **place = &list->first;
    while (*place != NULL && (*place)->value < value)
        place = &(*place)->next;
    return place;
}

struct sorted_node *sorted_from(const struct sorted_list *list, int value)
{
    struct sorted_node *node = list->first;
    while (node != NULL && node->value < value)
        node = node->next;
    return node;
}

struct sorted_node *sorted_find(const struct sorted_list *list, int value)
{
    struct sorted_node *node = sorted_from(list, value);
    return node != NULL && node->value == value ? node : NULL;
}

int sorted_contains(const struct sorted_list *list, int value)
{
    return sorted_find(list, value) != NULL;
}

struct sorted_node *sorted_last(const struct sorted_list *list)
{
    struct sorted_node *last = list->first;
    while (last != NULL && last->next != NULL)
        last = last->next;
    return last;
}

int sorted_add(struct sorted_list *list, struct sorted_node *node)
{
    if (node == NULL)
        return 0;
    struct sorted_node **place = place_of(list, node->value);
    if (*place != NULL && (*place)->value == node->value)
        return 0;
    node->next = *place;
    *place = node;
    return 1;
}

int sorted_remove(struct sorted_list *list, struct sorted_node *node)
{
    if (node == NULL)
        return 0;
    struct sorted_node **place = place_of(list, node->value);
    if (*place != node)
        return 0;
    *place = node->next;
    node->next = NULL;
    return 1;
}

struct sorted_node *sorted_remove_value(struct sorted_list *list, int value)
{
    struct sorted_node **place = place_of(list, value);
    struct sorted_node *node = *place;
    if (node == NULL || node->value != value)
        return NULL;
    *place = node->next;
    node->next = NULL;
    return node;
}

int sorted_remove_range(struct sorted_list *list, int low, int high)
{
    struct sorted_node **place = place_of(list, low);
    int removed = 0;
    while (*place != NULL && (*place)->value <= high) {
        struct sorted_node *node = *place;
        *place = node->next;
        node->next = NULL;
        removed++;
    }
    return removed;
}

int sorted_merge(struct sorted_list *list, struct sorted_list *other)
{
    if (other->first == NULL)
        return 1;
    // Lists that share a node share all nodes after it.
    if (sorted_last(list) == sorted_last(other))
        return 0;
    struct sorted_node **place = &list->first;
    struct sorted_node **rest = &other->first;
    while (*rest != NULL) {
        struct sorted_node *node = *rest;
        while (*place != NULL && (*place)->value < node->value)
            place = &(*place)->next;
        if (*place != NULL && (*place)->value == node->value) {
            rest = &node->next;
        } else {
            *rest = node->next;
            node->next = *place;
            *place = node;
        }
    }
    return 1;
}

int sorted_includes(const struct sorted_list *whole, const struct sorted_list *part)
{
    const struct sorted_node *node = whole->first;
    for (const struct sorted_node *wanted = part->first; wanted != NULL; wanted = wanted->next) {
        while (node != NULL && node->value < wanted->value)
            node = node->next;
        if (node == NULL || node->value != wanted->value)
            return 0;
    }
    return 1;
}
