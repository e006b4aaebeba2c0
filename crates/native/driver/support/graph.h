/* What graph.c asks of the runtime, or of plain_graph.c in the uninstrumented build. */
#ifndef ELSEWISE_SUPPORT_GRAPH_H
#define ELSEWISE_SUPPORT_GRAPH_H

#include <stddef.h>

/* Does every object get its place before the first input? */
int elsewise_graph_traced(void);
/* Fills memory from an input's bytes, `from` on. */
void elsewise_graph_take(void *p, size_t size, const char *name, size_t from);
/* Objects that there could be, each as good as any other, of so many bytes. */
void elsewise_graph_pool(char *const *objects, unsigned count, size_t size);
/* The subject knows this address without having it from an input. */
void elsewise_graph_known(const void *at);
/* Puts a value in the place of its selector. For a pointer, `fresh` selectors from `unused` on are
 * objects that are not there yet; -1 for what is no pointer. */
void elsewise_graph_set(void *cell, unsigned width, unsigned size,
    const unsigned long long *table, unsigned entries, unsigned long long value, unsigned unused,
    int fresh);
/* The length of an array; cases where it is more than `most` are of no interest. One that is signed and negative
 * says nothing about it: there are as many elements as there can be. */
unsigned long long elsewise_graph_length(const void *at, unsigned size, unsigned long long most,
    int is_signed);
/* The same for an array that an object points to. */
unsigned long long elsewise_graph_count(const void *at, unsigned size, unsigned long long most);
/* An object begins here. */
void elsewise_graph_object(const void *at, size_t size);
/* Inputs are possible that no case can be. */
void elsewise_graph_left_out(void);
/* Here is nothing that anybody gave. */
void elsewise_graph_beside(const void *at, size_t size);

struct elsewise_type;
/* The object of the graph that begins here; 0 if there is none. */
int elsewise_graph_find(const void *at, struct elsewise_type **type, unsigned *number);
/* What is here is given back: no step of a sequence can be given it any more. */
void elsewise_graph_lost(const void *at);

#endif
