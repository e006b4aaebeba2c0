/* `free` and `realloc` of a harness whose objects are observed after the call: objects of the graph
 * are only marked as given back, so that they can still be looked at. Linked with --wrap.
 */
#include "graph.h"
#include <elsewise-graph.h>

#include <stdlib.h>
#include <string.h>

void __real_free(void *p);
void *__real_realloc(void *p, size_t size);

/* Marks the object, and what a step of a sequence made, and says how large it is; false if it is none of the graph's, or
 * nobody observes. It may be an array without elements.
 */
static int given_back(void *p, size_t *bytes)
{
    struct elsewise_type *type;
    unsigned number;
    elsewise_graph_lost(p);
    if (!getenv("ELSEWISE_OBSERVED") || !elsewise_graph_find(p, &type, &number))
        return 0;
    if (!type->freed)
        type->freed = calloc(type->most, 1);
    if (!type->freed || type->freed[number])
        abort(); /* twice */
    type->freed[number] = 1;
    *bytes = (size_t)type->size * type->counts[number];
    return 1;
}

void __wrap_free(void *p)
{
    size_t bytes;
    if (!given_back(p, &bytes))
        __real_free(p);
}

void *__wrap_realloc(void *p, size_t size)
{
    size_t bytes;
    void *new;
    if (!given_back(p, &bytes))
        return __real_realloc(p, size);
    new = malloc(size);
    if (new)
        memcpy(new, p, bytes < size ? bytes : size);
    return new;
}
