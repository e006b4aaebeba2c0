// A small library of everything that exported tests must be able to build and to check.
#ifndef KIT_H
#define KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct node {
    int value;
    struct node *next;
};

struct tree {
    int key;
    struct tree *left, *right;
    const char *label;
};

struct point {
    int x, y;
    double weight;
};

enum colour { RED, GREEN = 5, BLUE };

struct shape {
    unsigned filled : 1;
    signed layer : 5;
    enum colour colour;
    bool round;
    union {
        struct {
            int width, height;
        } box;
        double radius;
    } size;
    char name[8];
};

struct vector {
    size_t count;
    int *items;
};

struct packet {
    uint16_t length;
    unsigned char data[];
};

struct handler {
    int (*act)(int);
    union {
        long number;
        char *text;
    };
    void *owner;
};

struct item {
    char tag;
    short weight;
    struct {
        int low, high;
    } range;
};

struct config {
    int a, b, c, d, e, f, g;
    const int fixed;
    struct point at;
    int table[10];
};

typedef unsigned long long ticket_t;
struct stack;

extern int kit_calls;

struct node *list_concat(struct node *list, struct node *other);
struct node *list_drop(struct node *list);
bool list_is_ring(const struct node *list);
int tree_insert(struct tree *tree, struct tree *leaf);
char *text_trim(char *text);
const char *text_find(const char *text, char wanted);
struct point point_add(struct point a, struct point b);
enum colour colour_next(enum colour colour);
double shape_area(const struct shape *shape);
void shape_flip(struct shape *shape);
void numbers_sort(int *numbers, size_t count);
void vector_append(struct vector *vector, int item);
unsigned packet_sum(const struct packet *packet);
int handler_run(struct handler *handler, int n);
int add_one(int n);
int times_two(int n);
void swap(int *a, int *b);
long clamp(long value, int least, unsigned char most);
ticket_t ticket_after(ticket_t ticket);
float half(float value);
double ratio(double a, double b);
void require_level(int level);
struct node *node_new(int value);
char *text_double(const char *text);
struct stack *stack_new(void);
bool stack_push(struct stack *stack, int value);
int stack_pop(struct stack *stack);
void stack_free(struct stack *stack);
long items_weight(const struct item *items, size_t count);
void list_push(struct node **head, struct node *node);
size_t words_length(const char *const *words, size_t count);
int config_sum(struct config *config);
int bytes_xor(const void *data, size_t size);
int first_value(const struct node *list);

#endif
