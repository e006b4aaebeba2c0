/* The uninstrumented build's part of generated harnesses: images come from the files of a case. */
#include "graph.h"
#include "plain.h"

#include <string.h>

int elsewise_graph_traced(void)
{
    return 0;
}

void elsewise_graph_take(void *p, size_t size, const char *name, size_t from)
{
    elsewise_plain_read_named(p, size, name, from);
}

void elsewise_graph_pool(char *const *objects, unsigned count, size_t size)
{
    (void)objects, (void)count, (void)size;
}

void elsewise_graph_known(const void *at)
{
    (void)at;
}

void elsewise_graph_set(void *cell, unsigned width, unsigned size,
    const unsigned long long *table, unsigned entries, unsigned long long value, unsigned unused,
    int fresh)
{
    (void)width, (void)table, (void)entries, (void)unused, (void)fresh;
    memcpy(cell, &value, size);
}

unsigned long long elsewise_graph_length(const void *at, unsigned size, unsigned long long most,
    int is_signed)
{
    unsigned long long value = 0;
    memcpy(&value, at, size);
    if (is_signed && value >> (8 * size - 1))
        return most;
    elsewise_assume(value <= most);
    return value;
}

unsigned long long elsewise_graph_count(const void *at, unsigned size, unsigned long long most)
{
    return elsewise_graph_length(at, size, most, 0);
}

void elsewise_graph_left_out(void)
{
}

void elsewise_graph_beside(const void *at, size_t size)
{
    (void)at, (void)size;
}

void elsewise_graph_object(const void *at, size_t size)
{
    (void)at, (void)size;
}
