/* Builds the objects and pointers of a generated harness from a case (see elsewise-graph.h). Part
 * of both builds: what differs between them is behind graph.h. Never instrumented: what it decides
 * on selectors are no choices of the subject's.
 */
#include "graph.h"
#include <elsewise-graph.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cell whose selector has been read and whose value is to be put in its place. */
struct found {
    char *at;
    const struct elsewise_cell *cell;
    unsigned long long value;
};

static struct elsewise_graph *whole;
static struct found *found;
static size_t found_count, found_room;
/* Objects whose image has not been taken yet. */
static struct { struct elsewise_type *type; unsigned number; } *waiting;
static size_t waiting_count, waiting_room;
/* What the steps of a sequence have made. */
static void **results;
static int *result_kinds;
static unsigned result_count;

/* The addresses that a pointer can have, by selector; made once for each. */
static struct table {
    const struct elsewise_ways *ways;
    unsigned entries;
    unsigned long long *values;
} tables[512];

static void *room(void *block, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return block;
    *room = *room ? *room * 2 : 64;
    block = realloc(block, *room * size);
    if (!block)
        abort();
    return block;
}

static size_t most_bytes(const struct elsewise_type *type)
{
    return (size_t)type->size * type->elements;
}

/* Around every object there is so much memory that nobody gave. */
enum { BESIDE = 256 };

/* AddressSanitizer has its own. */
extern int __asan_address_is_poisoned(const volatile void *at) __attribute__((weak));

static int has_beside(void)
{
    return elsewise_graph_traced() && !__asan_address_is_poisoned;
}

/* The object of that number, made if it is not there. */
static char *object(struct elsewise_type *type, unsigned number)
{
    if (!type->objects[number]) {
        size_t bytes = elsewise_graph_traced() ? most_bytes(type)
                                               : (size_t)type->size * type->counts[number];
        if (has_beside())
            bytes += BESIDE;
        /* One byte too many rather than none: an object has an address of its own. */
        type->objects[number] = malloc(bytes ? bytes : 1);
        if (!type->objects[number])
            abort();
    }
    return type->objects[number];
}

/* Selectors of a pointer beyond these are the last of them. */
static unsigned entries_of(const struct elsewise_ways *ways)
{
    unsigned most = 0;
    if (!ways->targets)
        return ways->count;
    for (unsigned t = 0; t < ways->count; t++) {
        if (ways->targets[t].type->most > most)
            most = ways->targets[t].type->most;
    }
    return 1 + most * ways->count;
}

static struct table *table_of(const struct elsewise_ways *ways)
{
    struct table *table = tables;
    while (table->ways && table->ways != ways) {
        if (++table == tables + sizeof tables / sizeof *tables)
            abort();
    }
    if (table->ways)
        return table;
    table->ways = ways;
    table->entries = entries_of(ways);
    if (!ways->targets) {
        table->values = ways->values;
        return table;
    }
    if (!elsewise_graph_traced())
        return table;
    table->values = calloc(table->entries, sizeof *table->values);
    if (!table->values)
        abort();
    for (unsigned selector = 1; selector < table->entries; selector++) {
        unsigned number = (selector - 1) / ways->count;
        const struct elsewise_target *target = &ways->targets[(selector - 1) % ways->count];
        if (number < target->type->most)
            table->values[selector]
                = (uintptr_t)(object(target->type, number) + target->offset);
    }
    return table;
}

/* Notes the values of the cells of one element, and the objects that they lead to. */
static void find(char *element, const struct elsewise_cell *cells, unsigned count)
{
    for (const struct elsewise_cell *cell = cells; cell < cells + count; cell++) {
        for (unsigned i = 0; i < cell->count; i++) {
            char *at = element + cell->offset + (size_t)i * cell->stride;
            const struct elsewise_ways *ways = cell->ways;
            unsigned entries = entries_of(ways);
            unsigned selector = (unsigned char)at[0];
            unsigned long long value = 0;
            if (ways->width > 1)
                selector |= (unsigned)(unsigned char)at[1] << 8;
            if (selector >= entries)
                selector = entries - 1;
            if (!ways->targets) {
                value = ways->values[selector];
            } else if (selector > 0) {
                unsigned number = (selector - 1) / ways->count;
                const struct elsewise_target *target = &ways->targets[(selector - 1) % ways->count];
                struct elsewise_type *type = target->type;
                if (number < type->most) {
                    int is_new = type->counts[number] == UINT32_MAX;
                    unsigned count = is_new ? type->elements : type->counts[number];
                    /* Whoever finds it later says no more than it has. */
                    if (cell->length_size)
                        count = (unsigned)elsewise_graph_count(
                            element + cell->length_offset + (size_t)i * cell->stride,
                            cell->length_size, count);
                    else if (type->length && is_new)
                        count = (unsigned)elsewise_graph_length(type->length, type->length_size,
                            count, type->length_signed);
                    if (is_new) {
                        type->counts[number] = count;
                        if (type->used <= number)
                            type->used = number + 1;
                        waiting = room(waiting, &waiting_room, waiting_count, sizeof *waiting);
                        waiting[waiting_count].type = type;
                        waiting[waiting_count++].number = number;
                    }
                    value = (uintptr_t)(object(type, number) + target->offset);
                }
            }
            found = room(found, &found_room, found_count, sizeof *found);
            found[found_count].at = at;
            found[found_count].cell = cell;
            found[found_count++].value = value;
        }
    }
}

/* Takes the images of all objects that have been found, and of those that they lead to. */
static void follow(void)
{
    while (waiting_count) {
        struct elsewise_type *type = waiting[--waiting_count].type;
        unsigned number = waiting[waiting_count].number;
        char *at = object(type, number);
        size_t bytes = (size_t)type->size * type->counts[number];
        elsewise_graph_object(at, bytes);
        if (has_beside()) {
            size_t rest = most_bytes(type) + BESIDE - bytes;
            memset(at + bytes, 0, rest);
            elsewise_graph_beside(at + bytes, rest);
            /* What the allocator has before it. */
            elsewise_graph_beside(at - 2 * sizeof(void *), 2 * sizeof(void *));
        }
        if (type->ends && bytes) {
            bytes -= type->size;
            memset(at + bytes, 0, type->size);
        }
        if (bytes)
            elsewise_graph_take(at, bytes, type->name, number * most_bytes(type));
        for (unsigned i = 0; i < type->counts[number]; i++)
            find(at + (size_t)i * type->size, type->cells, type->cell_count);
    }
}

/* The first selector of an object that is not there yet, whichever of its targets is taken. */
static unsigned unused(const struct elsewise_ways *ways, unsigned entries)
{
    unsigned selector = 1;
    while (selector < entries) {
        unsigned number = (selector - 1) / ways->count;
        unsigned t = 0;
        while (t < ways->count
            && (number >= ways->targets[t].type->most
                || ways->targets[t].type->counts[number] == UINT32_MAX))
            t++;
        if (t == ways->count)
            break;
        selector += ways->count;
    }
    return selector;
}

/* Puts addresses and values in the place of selectors. */
static void settle(void)
{
    static int announced;
    for (unsigned t = 0; !announced && t < whole->type_count; t++) {
        struct elsewise_type *type = whole->types[t];
        elsewise_graph_pool(type->objects, type->most, most_bytes(type));
    }
    announced = 1;
    for (size_t i = 0; i < found_count; i++) {
        const struct elsewise_ways *ways = found[i].cell->ways;
        struct table *table = table_of(ways);
        unsigned first = 0;
        int fresh = -1;
        if (ways->targets) {
            first = unused(ways, table->entries);
            fresh = first < table->entries ? (int)ways->count : 0;
        }
        elsewise_graph_set(found[i].at, ways->width, found[i].cell->size, table->values,
            table->entries, found[i].value, first, fresh);
    }
    found_count = 0;
}

static void take_root(struct elsewise_root *root)
{
    elsewise_graph_take(root->at, root->size, root->name, root->taken);
    root->taken += root->size;
    find(root->at, root->cells, root->cell_count);
}

void elsewise_graph_begin(struct elsewise_graph *graph)
{
    whole = graph;
    if (has_beside()) {
        /* What may be read before the first object. */
        static char *before;
        before = calloc(BESIDE, 1);
        elsewise_graph_beside(before, before ? BESIDE : 0);
    }
    for (unsigned t = 0; t < graph->type_count; t++) {
        struct elsewise_type *type = graph->types[t];
        type->objects = calloc(type->most, sizeof *type->objects);
        type->counts = malloc(type->most * sizeof *type->counts);
        if (!type->objects || !type->counts)
            abort();
        memset(type->counts, 0xff, type->most * sizeof *type->counts);
        if (elsewise_graph_traced()) {
            for (unsigned i = 0; i < type->most; i++)
                object(type, i);
        }
    }
    if (elsewise_graph_traced()) {
        for (unsigned t = 0; t < graph->type_count; t++) {
            const struct elsewise_type *type = graph->types[t];
            for (unsigned c = 0; c < type->cell_count; c++)
                table_of(type->cells[c].ways);
        }
        for (unsigned r = 0; r < graph->root_count; r++) {
            for (unsigned c = 0; c < graph->roots[r].cell_count; c++)
                table_of(graph->roots[r].cells[c].ways);
        }
    }
    /* Lengths first: objects are as long as they say. */
    for (int lengths = 1; lengths >= 0; lengths--) {
        for (unsigned r = 0; r < graph->root_count; r++) {
            struct elsewise_root *root = &graph->roots[r];
            if ((root->is_length != NO_LENGTH) != lengths)
                continue;
            take_root(root);
            if (root->is_length)
                elsewise_graph_length(root->at, root->size, root->most,
                    root->is_length == SIGNED_LENGTH);
        }
    }
    follow();
    settle();
}

/* The object that begins here, if it is one of the graph's. */
int elsewise_graph_find(const void *at, struct elsewise_type **type, unsigned *number)
{
    for (unsigned t = 0; whole && t < whole->type_count; t++) {
        struct elsewise_type *candidate = whole->types[t];
        for (unsigned i = 0; i < candidate->used; i++) {
            if (candidate->objects[i] == at && at) {
                *type = candidate;
                *number = i;
                return 1;
            }
        }
    }
    return 0;
}

/* A pointer into an object, or one past its end: the highest bit, the number of its type, its own
 * number, and the offset; all bits set for one that leads nowhere that is known.
 */
static unsigned long long inside(unsigned long long value)
{
    for (unsigned t = 0; t < whole->type_count && t < 0x7fff; t++) {
        const struct elsewise_type *type = whole->types[t];
        for (unsigned i = 0; i < type->used && i <= 0xffff; i++) {
            unsigned long long base = (uintptr_t)type->objects[i];
            unsigned long long size = (unsigned long long)type->size * type->counts[i];
            if (type->counts[i] != UINT32_MAX && value >= base && value - base <= size
                && size <= UINT32_MAX)
                return 1ull << 63 | (unsigned long long)t << 48 | (unsigned long long)i << 32
                    | (value - base);
        }
    }
    return ~0ull;
}

/* What a cell holds, as a selector again; all bits set for what has none. */
static unsigned long long selector_of(unsigned long long value, const struct elsewise_ways *ways)
{
    if (!ways->targets) {
        for (unsigned i = 0; i < ways->count; i++) {
            if (ways->values[i] == value)
                return i;
        }
        return ~0ull;
    }
    if (value == 0)
        return 0;
    for (unsigned t = 0; t < ways->count; t++) {
        const struct elsewise_type *type = ways->targets[t].type;
        for (unsigned i = 0; i < type->used; i++) {
            if (type->counts[i] != UINT32_MAX
                && (uintptr_t)type->objects[i] + ways->targets[t].offset == value)
                return 1 + (unsigned long long)i * ways->count + t;
        }
    }
    return inside(value);
}

/* Writes an image with selectors in the place of pointers. */
static void observe(FILE *to, const char *at, size_t size, const struct elsewise_cell *cells,
    unsigned count)
{
    char *image = malloc(size ? size : 1);
    if (!image)
        abort();
    memcpy(image, at, size);
    for (const struct elsewise_cell *cell = cells; cell < cells + count; cell++) {
        for (unsigned i = 0; i < cell->count; i++) {
            size_t offset = cell->offset + (size_t)i * cell->stride;
            unsigned long long value = 0;
            memcpy(&value, image + offset, cell->size);
            value = selector_of(value, cell->ways);
            memcpy(image + offset, &value, cell->size);
        }
    }
    fwrite(image, 1, size, to);
    free(image);
}

/* Where it is written down what was observed; null if nobody asks. */
static FILE *observed(void)
{
    const char *path = getenv("ELSEWISE_OBSERVED");
    return path ? fopen(path, "a") : NULL;
}

void elsewise_graph_note(unsigned step, const struct elsewise_root *result)
{
    FILE *to = observed();
    if (!to)
        return;
    fprintf(to, "step %u %u\n", result ? result->size : 0, step);
    if (result)
        observe(to, result->at, result->size, result->cells, result->cell_count);
    fclose(to);
}

void elsewise_graph_end(const struct elsewise_root *result)
{
    FILE *to = observed();
    if (!to)
        return;
    for (unsigned r = 0; r < whole->root_count; r++) {
        const struct elsewise_root *root = &whole->roots[r];
        fprintf(to, "root %u %s\n", root->size, root->name);
        observe(to, root->at, root->size, root->cells, root->cell_count);
    }
    for (unsigned t = 0; t < whole->type_count; t++) {
        const struct elsewise_type *type = whole->types[t];
        for (unsigned i = 0; i < type->used; i++) {
            if (type->counts[i] == UINT32_MAX)
                continue;
            fprintf(to, "%s %u %u %s\n", type->freed && type->freed[i] ? "freed" : "object", i,
                type->counts[i], type->name);
            for (unsigned e = 0; e < type->counts[i]; e++)
                observe(to, type->objects[i] + (size_t)e * type->size, type->size, type->cells,
                    type->cell_count);
        }
    }
    if (result) {
        fprintf(to, "result %u %s\n", result->size, result->name);
        observe(to, result->at, result->size, result->cells, result->cell_count);
    }
    fprintf(to, "end 0 .\n");
    fclose(to);
}

void *elsewise_graph_zeroed(struct elsewise_type *type)
{
    size_t bytes = most_bytes(type);
    char *at;
    type->counts[0] = type->elements;
    if (!type->used)
        type->used = 1;
    at = object(type, 0);
    elsewise_graph_known(at);
    memset(at, 0, bytes);
    elsewise_graph_object(at, bytes);
    return at;
}

void elsewise_graph_results(void **made, int *kinds, unsigned count)
{
    results = made;
    result_kinds = kinds;
    result_count = count;
}

void elsewise_graph_lost(const void *at)
{
    for (unsigned i = 0; at && i < result_count; i++) {
        if (results[i] == at)
            result_kinds[i] = 0;
    }
}

void elsewise_graph_more(struct elsewise_root *root)
{
    take_root(root);
    if (root->is_length)
        elsewise_graph_length(root->at, root->size, root->most, root->is_length == SIGNED_LENGTH);
    follow();
    settle();
}
