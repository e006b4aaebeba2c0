// A linked list of numbers in ascending order, each once. Nodes belong to the caller; a node is in
// one list at most.
#ifndef SORTED_LIST_H
#define SORTED_LIST_H

struct sorted_node {
    int value;
    struct sorted_node *next;
};

struct sorted_list {
    struct sorted_node *first;
};

// 1 if there is a list and every value is larger than the one before it, otherwise 0. (Such a list
// ends.)
int sorted_check(const struct sorted_list *list);

void sorted_init(struct sorted_list *list);
int sorted_length(const struct sorted_list *list);

// The node with this value, or NULL.
struct sorted_node *sorted_find(const struct sorted_list *list, int value);
int sorted_contains(const struct sorted_list *list, int value);

// The first node whose value is not smaller than this one, or NULL.
struct sorted_node *sorted_from(const struct sorted_list *list, int value);
struct sorted_node *sorted_last(const struct sorted_list *list);

// Adds a node where it belongs. It returns 0, and does nothing, if its value is there already, or
// for NULL.
int sorted_add(struct sorted_list *list, struct sorted_node *node);

// Takes a node out; 0 if it is not in the list.
int sorted_remove(struct sorted_list *list, struct sorted_node *node);

// Takes the node with this value out and returns it, or NULL.
struct sorted_node *sorted_remove_value(struct sorted_list *list, int value);

// Takes all nodes from `low` to `high` out, both included, and returns how many they were.
int sorted_remove_range(struct sorted_list *list, int low, int high);

// Moves what `list` does not have from `other` to it; what both have stays in `other`. It returns
// 0, and does nothing, if they share nodes.
int sorted_merge(struct sorted_list *list, struct sorted_list *other);

// 1 if all values of `part` are in `whole`.
int sorted_includes(const struct sorted_list *whole, const struct sorted_list *part);

#endif
