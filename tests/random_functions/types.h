/* What random functions are given. Every one of them begins with these lines. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Says to the driver which line is run. */
#ifndef HERE
#define HERE (void)0
#endif

enum colour { RED, GREEN = 2, BLUE = 5 };
enum flag { READ = 1, WRITE = 2, APPEND = 4 };

struct small {
    int a;
    signed char b;
    struct {
        short c;
    } in;
};

struct bits {
    unsigned a : 3;
    int b : 2;
    unsigned c : 4;
};

struct node {
    int value;
    struct node *next;
};

struct tree {
    signed char key;
    struct tree *left, *right;
};

/* A pointer to a node may lead into it. */
struct outer {
    short kind;
    struct node inner;
    struct node *link;
};

struct slots {
    struct node *slot[2];
    unsigned char used;
};

struct packet {
    unsigned char kind;
    short tail[];
};

struct buffer {
    signed char *data;
    size_t length;
};

struct item {
    int value;
    short weight;
};

struct value {
    int tag;
    union {
        int number;
        struct node *inner;
    };
};

/* By value, with pointers. */
struct pair {
    struct node *node;
    bool on;
    enum colour colour;
};

struct operations {
    int (*apply)(int);
    int base;
};

struct grid {
    signed char (*rows)[3];
    short height;
};

struct record {
    int kind;
    short flag;
};

struct sum {
    int all, most;
};

struct link {
    struct link *next;
};

struct entry {
    long key;
    struct link link;
};
