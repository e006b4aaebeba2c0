/* A linked list: taking out its only element leaves a tail that points nowhere. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

struct node { int32_t key; struct node *next; };
struct list { struct node *head, *tail; };

static void append(struct list *list, int32_t key)
{
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        _exit(98);
    node->key = key;
    if (!list->head)
        list->head = node;
    else
        list->tail->next = node;
    list->tail = node;
}

static int take(struct list *list, int32_t key)
{
    struct node **link = &list->head;
    struct node *before = NULL;
    while (*link && (*link)->key != key) {
        before = *link;
        link = &(*link)->next;
    }
    struct node *node = *link;
    if (!node)
        return 0;
    *link = node->next;
    if (list->tail == node)
        list->tail = before;
    free(node);
    return 1;
}

static int32_t last(const struct list *list)
{
    return list->tail->key; // fails here
}

int main(void)
{
    int32_t keys[4];
    if (read(0, keys, sizeof keys) != (ssize_t)sizeof keys)
        return 99;
    struct list list = {NULL, NULL};
    append(&list, keys[0]);
    append(&list, keys[1]);
    int taken = take(&list, keys[2]);
    taken += take(&list, keys[3]);
    return last(&list) == keys[1] ? taken : 10 + taken;
}
