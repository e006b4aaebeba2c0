// A linked list of numbers. Nodes belong to the caller; a node is in one list at most.
#ifndef LIST_H
#define LIST_H

struct list_node {
    int value;
    struct list_node *next;
};

struct list {
    struct list_node *first;
};

// 1 if there is a list and it ends, otherwise 0.
int list_check(const struct list *list);

void list_init(struct list *list);
int list_length(const struct list *list);

// The first node with this value, or NULL.
struct list_node *list_find(const struct list *list, int value);
int list_contains(const struct list *list, int value);

// The node at a place counted from 0, or NULL.
struct list_node *list_at(const struct list *list, int place);

// Add a node at the front or at the end. They return 0, and do nothing, if it is in the list
// already, or NULL.
int list_add(struct list *list, struct list_node *node);
int list_append(struct list *list, struct list_node *node);

// Adds a node unless there is one with its value, and returns the one that is in the list then.
struct list_node *list_add_if_absent(struct list *list, struct list_node *node);

// Takes a node out; 0 if it is not in the list.
int list_remove(struct list *list, struct list_node *node);

// Takes the first node with this value out and returns it, or NULL.
struct list_node *list_remove_value(struct list *list, int value);

// Moves all nodes of `other` to the end of `list`. It returns 0, and does nothing, if they share
// nodes.
int list_concat(struct list *list, struct list *other);

void list_reverse(struct list *list);

// Sorts by value; nodes of equal value keep their order.
void list_sort(struct list *list);

// 1 if both have the same values in the same order.
int list_equal(const struct list *a, const struct list *b);

#endif
