// Tests of the linked list.
#include "../list.h"
#include "support.h"

enum { NODES = 8 };

// A list as an array of its nodes.
struct model {
    struct list_node *nodes[2 * NODES];
    int length;
};

static void agrees(const struct list *list, const struct model *model)
{
    REQUIRE(list_check(list));
    REQUIRE(list_length(list) == model->length);
    for (int i = -1; i <= model->length; i++)
        REQUIRE(list_at(list, i) == (i >= 0 && i < model->length ? model->nodes[i] : NULL));
}

static int place_of(const struct model *model, const struct list_node *node)
{
    int place = model->length - 1;
    while (place >= 0 && model->nodes[place] != node)
        place--;
    return place;
}

static int place_of_value(const struct model *model, int value)
{
    for (int i = 0; i < model->length; i++) {
        if (model->nodes[i]->value == value)
            return i;
    }
    return -1;
}

static void insert(struct model *model, int place, struct list_node *node)
{
    for (int i = model->length++; i > place; i--)
        model->nodes[i] = model->nodes[i - 1];
    model->nodes[place] = node;
}

static void take(struct model *model, int place)
{
    model->length--;
    for (int i = place; i < model->length; i++)
        model->nodes[i] = model->nodes[i + 1];
}

static void reverse(struct model *model)
{
    struct model copy = *model;
    for (int i = 0; i < copy.length; i++)
        model->nodes[i] = copy.nodes[copy.length - 1 - i];
}

static void sort(struct model *model)
{
    for (int end = model->length; end > 1; end--) {
        for (int i = 1; i < end; i++) {
            if (model->nodes[i - 1]->value > model->nodes[i]->value) {
                struct list_node *kept = model->nodes[i];
                model->nodes[i] = model->nodes[i - 1];
                model->nodes[i - 1] = kept;
            }
        }
    }
}

static int same_values(const struct model *a, const struct model *b)
{
    if (a->length != b->length)
        return 0;
    for (int i = 0; i < a->length; i++) {
        if (a->nodes[i]->value != b->nodes[i]->value)
            return 0;
    }
    return 1;
}

static void random_operations(void)
{
    uint64_t state = 3;
    for (int round = 0; round < 500; round++) {
        // Each list has nodes of its own, which go to the other one with concat only.
        struct list_node *nodes = calloc(2 * NODES, sizeof *nodes);
        struct list lists[2];
        struct model models[2] = {{.length = 0}, {.length = 0}};
        list_init(&lists[0]);
        list_init(&lists[1]);
        for (int i = 0; i < 2 * NODES; i++)
            nodes[i].value = below(&state, 6);
        for (int step = 0; step < 60; step++) {
            int which = below(&state, 2);
            struct list *list = &lists[which];
            struct model *model = &models[which];
            struct list_node *node = &nodes[below(&state, 2 * NODES)];
            int place = place_of(model, node);
            int value = below(&state, 7);
            int found = place_of_value(model, value);
            int elsewhere = place_of(&models[!which], node) >= 0;
            switch (below(&state, elsewhere ? 6 : 9)) {
            case 0:
                REQUIRE(list_contains(list, value) == (found >= 0));
                REQUIRE(list_find(list, value) == (found >= 0 ? model->nodes[found] : NULL));
                break;
            case 1:
                REQUIRE(list_remove_value(list, value) == (found >= 0 ? model->nodes[found] : NULL));
                if (found >= 0)
                    take(model, found);
                break;
            case 2:
                list_reverse(list);
                reverse(model);
                break;
            case 3:
                list_sort(list);
                sort(model);
                break;
            case 4:
                REQUIRE(list_equal(&lists[0], &lists[1]) == same_values(&models[0], &models[1]));
                REQUIRE(list_concat(list, list) == (model->length == 0));
                break;
            case 5:
                REQUIRE(list_concat(list, &lists[!which]) == 1);
                for (int i = 0; i < models[!which].length; i++)
                    insert(model, model->length, models[!which].nodes[i]);
                models[!which].length = 0;
                break;
            case 6:
                REQUIRE(list_add(list, node) == (place < 0));
                if (place < 0)
                    insert(model, 0, node);
                break;
            case 7:
                REQUIRE(list_append(list, node) == (place < 0));
                if (place < 0)
                    insert(model, model->length, node);
                break;
            case 8:
                if (below(&state, 2)) {
                    REQUIRE(list_remove(list, node) == (place >= 0));
                    if (place >= 0)
                        take(model, place);
                } else {
                    found = place_of_value(model, node->value);
                    REQUIRE(list_add_if_absent(list, node) == (found >= 0 ? model->nodes[found] : node));
                    if (found < 0)
                        insert(model, 0, node);
                }
                break;
            }
            agrees(&lists[0], &models[0]);
            agrees(&lists[1], &models[1]);
        }
        free(nodes);
    }
}

// Of all graphs of three nodes in which what cannot be reached points nowhere, the lists are the
// sequences of different nodes: 1 + 3 + 3*2 + 3*2*1.
static void all_small_graphs(void)
{
    int valid = 0;
    for (unsigned long code = 0; code < 4 * 4 * 4 * 4; code++) {
        struct list_node nodes[3] = {{.value = 0}, {.value = 0}, {.value = 0}};
        struct list_node *targets[4] = {NULL, &nodes[0], &nodes[1], &nodes[2]};
        unsigned long rest = code;
        struct list list = {targets[digit(&rest, 4)]};
        for (int i = 0; i < 3; i++)
            nodes[i].next = targets[digit(&rest, 4)];
        if (!list_check(&list))
            continue;
        int reached[3] = {0, 0, 0};
        for (const struct list_node *node = list.first; node != NULL; node = node->next)
            reached[node - nodes] = 1;
        int spare = 0;
        for (int i = 0; i < 3; i++)
            spare |= !reached[i] && nodes[i].next != NULL;
        valid += !spare;
    }
    REQUIRE(valid == 16);
    REQUIRE(!list_check(NULL));
}

static void nodes_that_lists_share(void)
{
    struct list_node tail = {.value = 3};
    struct list_node a = {.value = 1, .next = &tail};
    struct list_node b = {.value = 2, .next = &tail};
    struct list first = {&a};
    struct list second = {&b};
    REQUIRE(list_concat(&first, &second) == 0);
    REQUIRE(list_check(&first) && list_length(&first) == 2);
    REQUIRE(!list_add(&first, NULL) && !list_append(&first, NULL) && !list_remove(&first, NULL));
    REQUIRE(list_add_if_absent(&first, NULL) == NULL);
}

int main(void)
{
    random_operations();
    all_small_graphs();
    nodes_that_lists_share();
    return 0;
}
