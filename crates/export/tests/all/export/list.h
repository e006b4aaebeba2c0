// Lists of numbers, for the book's example of an exported test.
#ifndef LIST_H
#define LIST_H

struct node {
    int value;
    struct node *next;
};

struct node *list_concat(struct node *list, struct node *other);

#endif
