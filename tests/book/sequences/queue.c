/* A queue of numbers. The bug: taking the last of them out leaves `last` where it was. */
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct queue {
    struct node *first;
    struct node *last;
    /* Nodes to use again. */
    struct node *spare;
};

struct queue *queue_new(void)
{
    return calloc(1, sizeof(struct queue));
}

int queue_put(struct queue *queue, int value)
{
    struct node *node = queue->spare;
    if (node)
        queue->spare = node->next;
    else
        node = malloc(sizeof *node);
    if (!node)
        return 0;
    node->value = value;
    node->next = NULL;
    if (queue->last)
        queue->last->next = node;
    else
        queue->first = node;
    queue->last = node;
    assert(queue->first);
    return 1;
}

int queue_get(struct queue *queue)
{
    struct node *node = queue->first;
    if (!node)
        return -1;
    queue->first = node->next;
    node->next = queue->spare;
    queue->spare = node;
    return node->value;
}

void queue_free(struct queue *queue)
{
    while (queue_get(queue) != -1)
        ;
    while (queue->spare) {
        struct node *node = queue->spare;
        queue->spare = node->next;
        free(node);
    }
    free(queue);
}
