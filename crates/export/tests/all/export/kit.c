// The library behind `kit.h`. Lines with a mark are those that tests change to see a test fail.
#include "kit.h"

#include <stdlib.h>
#include <string.h>

int kit_calls;

struct node *list_concat(struct node *list, struct node *other)
{
    struct node *at = list;

    kit_calls++;
    if (!list)
        return other;
    while (at->next)
        at = at->next;
    at->next = other; // mutation: at->next = NULL;
    return list;
}

struct node *list_drop(struct node *list)
{
    struct node *rest = list->next;

    free(list);
    return rest;
}

bool list_is_ring(const struct node *list)
{
    const struct node *at = list;

    do {
        if (!at)
            return false;
        at = at->next;
    } while (at != list);
    return true;
}

int tree_insert(struct tree *tree, struct tree *leaf)
{
    int depth = 1;

    for (;; depth++) {
        struct tree **side = leaf->key < tree->key ? &tree->left : &tree->right;
        if (!*side) {
            *side = leaf;
            return depth;
        }
        tree = *side;
    }
}

char *text_trim(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    while (*text == ' ')
        text++;
    return text;
}

const char *text_find(const char *text, char wanted)
{
    return strchr(text, wanted);
}

struct point point_add(struct point a, struct point b)
{
    struct point sum = {a.x + b.x, a.y + b.y, a.weight + b.weight};
    return sum;
}

enum colour colour_next(enum colour colour)
{
    return colour == RED ? GREEN : colour == GREEN ? BLUE : RED;
}

double shape_area(const struct shape *shape)
{
    if (shape->round)
        return shape->size.radius * shape->size.radius * 3;
    return shape->size.box.width * shape->size.box.height;
}

void shape_flip(struct shape *shape)
{
    shape->filled = !shape->filled;
    shape->layer = -shape->layer;
    shape->colour = BLUE;
    shape->size.box.height = shape->size.box.width;
    shape->name[0] = 'F';
}

void numbers_sort(int *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && numbers[k - 1] > numbers[k]; k--)
            swap(&numbers[k - 1], &numbers[k]);
}

void vector_append(struct vector *vector, int item)
{
    int *items = realloc(vector->items, (vector->count + 1) * sizeof *items);

    if (!items)
        abort();
    items[vector->count++] = item;
    vector->items = items;
}

unsigned packet_sum(const struct packet *packet)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < packet->length; i++)
        sum += packet->data[i];
    return sum;
}

int handler_run(struct handler *handler, int n)
{
    if (handler->owner != &handler->number)
        return -1;
    handler->number += handler->act(n);
    handler->act = times_two;
    return 0;
}

int add_one(int n)
{
    return n + 1;
}

static int doubled(int n)
{
    return n * 2;
}

int times_two(int n)
{
    return doubled(n);
}

void swap(int *a, int *b)
{
    int old = *a;
    *a = *b;
    *b = old;
}

long clamp(long value, int least, unsigned char most)
{
    return value < least ? least : value > most ? most : value;
}

ticket_t ticket_after(ticket_t ticket)
{
    return ticket + 1;
}

float half(float value)
{
    return value / 2;
}

double ratio(double a, double b)
{
    return a / b;
}

void require_level(int level)
{
    if (level < 1)
        exit(3);
}

struct node *node_new(int value)
{
    struct node *node = calloc(1, sizeof *node);

    if (!node)
        abort();
    node->value = value;
    node->next = calloc(1, sizeof *node);
    return node;
}

char *text_double(const char *text)
{
    size_t length = strlen(text);
    char *twice = malloc(2 * length + 1);

    if (!twice)
        abort();
    memcpy(twice, text, length);
    memcpy(twice + length, text, length + 1);
    return twice;
}

struct stack {
    int count, values[4];
};

struct stack *stack_new(void)
{
    return calloc(1, sizeof(struct stack));
}

bool stack_push(struct stack *stack, int value)
{
    if (stack->count == 4)
        return false;
    stack->values[stack->count++] = value;
    return true;
}

int stack_pop(struct stack *stack)
{
    return stack->count ? stack->values[--stack->count] : -1;
}

void stack_free(struct stack *stack)
{
    free(stack);
}

long items_weight(const struct item *items, size_t count)
{
    long sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += items[i].tag == '-' ? -items[i].weight : items[i].weight + items[i].range.high;
    return sum;
}

void list_push(struct node **head, struct node *node)
{
    node->next = *head;
    *head = node;
}

size_t words_length(const char *const *words, size_t count)
{
    size_t length = 0;

    for (size_t i = 0; i < count; i++)
        length += strlen(words[i]);
    return length;
}

int config_sum(struct config *config)
{
    int sum = config->a + config->b + config->c + config->d + config->e + config->f + config->g;

    for (int i = 0; i < 10; i++)
        config->table[i] += config->fixed;
    return sum + config->fixed + config->at.x;
}

int bytes_xor(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    int all = 0;

    for (size_t i = 0; i < size; i++)
        all ^= bytes[i];
    return all;
}

int first_value(const struct node *list)
{
    return list->value;
}
