/* What generated harnesses for functions are made of: descriptions of the inputs from which
 * `elsewise_graph_begin` builds a graph of objects in memory.
 *
 * In a case, all objects of a type are one input, one image after the other; every parameter is an
 * input of its own. In these images a pointer is a small number, its *selector*: 0 for null, then
 * the objects that it can point to. Other cells that have few values (enums, truth values,
 * pointers to functions) are numbers in the same way.
 */
#ifndef ELSEWISE_GRAPH_H
#define ELSEWISE_GRAPH_H

struct elsewise_type;

/* A place in the objects of a type that a pointer can point to. */
struct elsewise_target {
    struct elsewise_type *type;
    unsigned offset;
};

/* What the selectors of a cell stand for. */
struct elsewise_ways {
    /* Bytes of a selector. */
    unsigned width;
    /* How many targets, or values. */
    unsigned count;
    /* For pointers: selector 1 + object * count + target. */
    const struct elsewise_target *targets;
    /* For the rest: the value of selector i; the last of them beyond that. */
    unsigned long long *values;
};

/* A part of an image that is a selector. */
struct elsewise_cell {
    unsigned offset;
    /* Bytes of what it stands for. */
    unsigned size;
    /* So many of them in a row, so far from each other. */
    unsigned count;
    unsigned stride;
    struct elsewise_ways *ways;
    /* Where the number of elements is that what it points to has, an unsigned number of so many
     * bytes; none: as the type says. */
    unsigned length_offset;
    unsigned length_size;
};

struct elsewise_type {
    /* Name of the input. */
    const char *name;
    /* Of one element, and how many an object has at most. */
    unsigned size;
    unsigned elements;
    /* The last element of an object is zero: a string. */
    int ends;
    /* So many objects at most. */
    unsigned most;
    unsigned cell_count;
    const struct elsewise_cell *cells;
    /* Where the number of elements is, a number of so many bytes, perhaps signed; null: `elements`. */
    const void *length;
    unsigned length_size;
    int length_signed;
    /* Objects that are there (null: not yet), their number of elements, and one more than the
     * greatest number of one that is pointed to. */
    char **objects;
    unsigned *counts;
    unsigned used;
    /* The subject gave them back; null: none of them. */
    char *freed;
};

/* A variable that is an input: a parameter, a global, a result of a stub. */
struct elsewise_root {
    const char *name;
    void *at;
    unsigned size;
    unsigned cell_count;
    const struct elsewise_cell *cells;
    /* How many elements an array has that another root points to; at most `most`. */
    enum { NO_LENGTH, UNSIGNED_LENGTH, SIGNED_LENGTH } is_length;
    unsigned most;
    /* Bytes taken from the input already: a stub is called more than once. */
    unsigned long taken;
};

struct elsewise_graph {
    unsigned type_count;
    struct elsewise_type *const *types;
    unsigned root_count;
    struct elsewise_root *roots;
};

/* Said first where inputs are possible that no case can be. */
void elsewise_graph_left_out(void);

/* Makes all roots inputs, with every object that they reach. */
void elsewise_graph_begin(struct elsewise_graph *graph);

/* One more root, later: its next bytes. */
void elsewise_graph_more(struct elsewise_root *root);

/* The first object of a type that is no input: zero. */
void *elsewise_graph_zeroed(struct elsewise_type *type);

/* What the steps of a sequence have made, and of which kind each is: 0 from when it is freed. */
void elsewise_graph_results(void **made, int *kinds, unsigned count);

/* A step of a sequence has returned. */
void elsewise_graph_note(unsigned step, const struct elsewise_root *result);

/* The function has returned: `result` has so many bytes, null for none. */
void elsewise_graph_end(const struct elsewise_root *result);

#endif
