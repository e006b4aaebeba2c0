// Tests of the sorted list.
#include "../sorted_list.h"
#include "support.h"

// Values are below this; for each there is one node, and a second one with the same value.
enum { VALUES = 8 };

// The list as what it has: for each value the node with it, or NULL.
struct model {
    struct sorted_node *nodes[VALUES];
};

static void agrees(const struct sorted_list *list, const struct model *model)
{
    REQUIRE(sorted_check(list));
    const struct sorted_node *node = list->first;
    struct sorted_node *last = NULL;
    int length = 0;
    for (int value = 0; value < VALUES; value++) {
        struct sorted_node *wanted = model->nodes[value];
        REQUIRE(sorted_find(list, value) == wanted);
        REQUIRE(sorted_contains(list, value) == (wanted != NULL));
        REQUIRE(sorted_from(list, value) == node);
        if (wanted == NULL)
            continue;
        REQUIRE(node == wanted && node->value == value);
        last = wanted;
        node = node->next;
        length++;
    }
    REQUIRE(node == NULL && sorted_from(list, VALUES) == NULL);
    REQUIRE(sorted_last(list) == last);
    REQUIRE(sorted_length(list) == length);
}

static int includes(const struct model *whole, const struct model *part)
{
    for (int value = 0; value < VALUES; value++) {
        if (part->nodes[value] != NULL && whole->nodes[value] == NULL)
            return 0;
    }
    return 1;
}

static void random_operations(void)
{
    uint64_t state = 4;
    for (int round = 0; round < 500; round++) {
        struct sorted_node *nodes = calloc(2 * VALUES, sizeof *nodes);
        struct sorted_list lists[2];
        struct model models[2] = {{{NULL}}, {{NULL}}};
        sorted_init(&lists[0]);
        sorted_init(&lists[1]);
        for (int i = 0; i < 2 * VALUES; i++)
            nodes[i].value = i % VALUES;
        for (int step = 0; step < 60; step++) {
            int which = below(&state, 2);
            struct sorted_list *list = &lists[which];
            struct model *model = &models[which];
            struct model *other = &models[!which];
            struct sorted_node *node = &nodes[below(&state, 2 * VALUES)];
            int value = node->value;
            struct sorted_node *present = model->nodes[value];
            int high = value + below(&state, 3);
            switch (below(&state, 7)) {
            case 0:
            case 1:
                if (other->nodes[value] == node)
                    break;
                REQUIRE(sorted_add(list, node) == (present == NULL));
                if (present == NULL)
                    model->nodes[value] = node;
                break;
            case 2:
                REQUIRE(sorted_remove(list, node) == (present == node));
                if (present == node)
                    model->nodes[value] = NULL;
                break;
            case 3:
                REQUIRE(sorted_remove_value(list, value) == present);
                model->nodes[value] = NULL;
                break;
            case 4: {
                int removed = sorted_remove_range(list, value, high);
                for (int i = value; i <= high && i < VALUES; i++) {
                    removed -= model->nodes[i] != NULL;
                    model->nodes[i] = NULL;
                }
                REQUIRE(removed == 0);
                break;
            }
            case 5:
                REQUIRE(sorted_merge(list, list) == (list->first == NULL));
                REQUIRE(sorted_merge(list, &lists[!which]) == 1);
                for (int i = 0; i < VALUES; i++) {
                    if (model->nodes[i] == NULL) {
                        model->nodes[i] = other->nodes[i];
                        other->nodes[i] = NULL;
                    }
                }
                break;
            case 6:
                REQUIRE(sorted_includes(list, &lists[!which]) == includes(model, other));
                REQUIRE(sorted_includes(list, list));
                break;
            }
            agrees(&lists[0], &models[0]);
            agrees(&lists[1], &models[1]);
        }
        free(nodes);
    }
}

// Of all graphs of three nodes with the values 0, 1 and 2 in which what cannot be reached points
// nowhere, one is a sorted list for every set of values: 8.
static void all_small_graphs(void)
{
    int valid = 0;
    for (unsigned long code = 0; code < 4 * 4 * 4 * 4; code++) {
        struct sorted_node nodes[3] = {{.value = 0}, {.value = 1}, {.value = 2}};
        struct sorted_node *targets[4] = {NULL, &nodes[0], &nodes[1], &nodes[2]};
        unsigned long rest = code;
        struct sorted_list list = {targets[digit(&rest, 4)]};
        for (int i = 0; i < 3; i++)
            nodes[i].next = targets[digit(&rest, 4)];
        if (!sorted_check(&list))
            continue;
        int reached[3] = {0, 0, 0};
        for (const struct sorted_node *node = list.first; node != NULL; node = node->next)
            reached[node - nodes] = 1;
        int spare = 0;
        for (int i = 0; i < 3; i++)
            spare |= !reached[i] && nodes[i].next != NULL;
        valid += !spare;
    }
    REQUIRE(valid == 8);
    REQUIRE(!sorted_check(NULL));
    struct sorted_node second = {.value = 5};
    struct sorted_node first = {.value = 5, .next = &second};
    struct sorted_list equal = {&first};
    REQUIRE(!sorted_check(&equal));
    REQUIRE(!sorted_add(&equal, NULL) && !sorted_remove(&equal, NULL));
}

int main(void)
{
    random_operations();
    all_small_graphs();
    return 0;
}
