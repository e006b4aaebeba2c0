// A doubly linked list of numbers. Nodes belong to the caller; a node is in one list at most.
#ifndef DLIST_H
#define DLIST_H

struct dlist_node {
    int value;
    struct dlist_node *next;
    struct dlist_node *prev;
};

struct dlist {
    struct dlist_node *first;
    struct dlist_node *last;
};

// 1 if there is a list, `prev` of every node is the node before it and `last` is the last one,
// otherwise 0. (Such a list ends: a node that is met a second time has another one before it.)
int dlist_check(const struct dlist *list);

void dlist_init(struct dlist *list);
int dlist_length(const struct dlist *list);

// The first node with this value, or NULL; and the last one.
struct dlist_node *dlist_find(const struct dlist *list, int value);
struct dlist_node *dlist_find_last(const struct dlist *list, int value);
int dlist_contains(const struct dlist *list, int value);

// The node at a place counted from 0, or from -1 backwards, or NULL.
struct dlist_node *dlist_at(const struct dlist *list, int place);

// Add a node at an end, or after a node of the list. They return 0, and do nothing, if it is in the
// list already, or NULL, or if there is no such place.
int dlist_add_first(struct dlist *list, struct dlist_node *node);
int dlist_add_last(struct dlist *list, struct dlist_node *node);
int dlist_add_after(struct dlist *list, struct dlist_node *place, struct dlist_node *node);

// Takes a node out; 0 if it is not in the list.
int dlist_remove(struct dlist *list, struct dlist_node *node);

// Take the node at an end out and return it, or NULL.
struct dlist_node *dlist_remove_first(struct dlist *list);
struct dlist_node *dlist_remove_last(struct dlist *list);

// Takes all nodes with this value out and returns how many they were.
int dlist_remove_all(struct dlist *list, int value);

// Moves all nodes of `other` to the end of `list`. It returns 0, and does nothing, if both are the
// same nodes.
int dlist_concat(struct dlist *list, struct dlist *other);

void dlist_reverse(struct dlist *list);

// Sorts by value; nodes of equal value keep their order.
void dlist_sort(struct dlist *list);

// 1 if the values are the same read from either end.
int dlist_is_palindrome(const struct dlist *list);

#endif
