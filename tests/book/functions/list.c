// A list, a function that says whether a list is one, and a function with a bug: as the page has it.
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

struct list {
    struct node *first;
};

/* Is it a list that ends? In a circle, the faster of two walkers meets the slower one. */
int list_check(const struct list *list)
{
    const struct node *slow, *fast;

    if (list == NULL)
        return 0;
    slow = fast = list->first;
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast)
            return 0;
    }
    return 1;
}

/* Takes the first node with this value out of the list; NULL if there is none. */
struct node *list_remove(struct list *list, int value)
{
    struct node *before = NULL;
    struct node *node = list->first;

    while (node->value != value) {
        before = node;
        node = node->next;
        if (node == NULL)
            return NULL;
    }
    if (before == NULL)
        list->first = node->next;
    else
        before->next = node->next;
    return node;
}
