// Tests of the doubly linked list; with an argument, what crashes with BUGGY.
#include "../dlist.h"
#include "support.h"

enum { NODES = 8 };

// A list as an array of its nodes.
struct model {
    struct dlist_node *nodes[2 * NODES];
    int length;
};

static void agrees(const struct dlist *list, const struct model *model)
{
    REQUIRE(dlist_check(list));
    REQUIRE(dlist_length(list) == model->length);
    for (int i = 0; i <= model->length; i++) {
        int inside = i < model->length;
        REQUIRE(dlist_at(list, i) == (inside ? model->nodes[i] : NULL));
        REQUIRE(dlist_at(list, -1 - i) == (inside ? model->nodes[model->length - 1 - i] : NULL));
    }
    int same = 1;
    for (int i = 0; i < model->length; i++)
        same &= model->nodes[i]->value == model->nodes[model->length - 1 - i]->value;
    REQUIRE(dlist_is_palindrome(list) == same);
}

static int place_of(const struct model *model, const struct dlist_node *node)
{
    int place = model->length - 1;
    while (place >= 0 && model->nodes[place] != node)
        place--;
    return place;
}

static void insert(struct model *model, int place, struct dlist_node *node)
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
                struct dlist_node *kept = model->nodes[i];
                model->nodes[i] = model->nodes[i - 1];
                model->nodes[i - 1] = kept;
            }
        }
    }
}

// What looks for values.
static void values(struct dlist *list, struct model *model, int value)
{
    struct dlist_node *first = NULL;
    struct dlist_node *last = NULL;
    int number = 0;
    for (int i = 0; i < model->length; i++) {
        if (model->nodes[i]->value == value) {
            first = first == NULL ? model->nodes[i] : first;
            last = model->nodes[i];
            number++;
        }
    }
    REQUIRE(dlist_find(list, value) == first);
    REQUIRE(dlist_find_last(list, value) == last);
    REQUIRE(dlist_contains(list, value) == (number > 0));
    if (number < 3)
        return;
    REQUIRE(dlist_remove_all(list, value) == number);
    for (int i = model->length - 1; i >= 0; i--) {
        if (model->nodes[i]->value == value)
            take(model, i);
    }
}

static void random_operations(void)
{
    uint64_t state = 5;
    for (int round = 0; round < 500; round++) {
        // A node that is in one list is not given to the other one, except by concat.
        struct dlist_node *nodes = calloc(2 * NODES, sizeof *nodes);
        struct dlist lists[2];
        struct model models[2] = {{.length = 0}, {.length = 0}};
        dlist_init(&lists[0]);
        dlist_init(&lists[1]);
        for (int i = 0; i < 2 * NODES; i++)
            nodes[i].value = below(&state, 4);
        for (int step = 0; step < 60; step++) {
            int which = below(&state, 2);
            struct dlist *list = &lists[which];
            struct model *model = &models[which];
            struct dlist_node *node = &nodes[below(&state, 2 * NODES)];
            struct dlist_node *after = &nodes[below(&state, 2 * NODES)];
            int place = place_of(model, node);
            int elsewhere = place_of(&models[!which], node) >= 0;
            switch (below(&state, elsewhere ? 7 : 11)) {
            case 0:
                values(list, model, below(&state, 5));
                break;
            case 1:
                dlist_reverse(list);
                reverse(model);
                break;
            case 2:
                dlist_sort(list);
                sort(model);
                break;
            case 3:
                REQUIRE(dlist_concat(list, list) == (model->length == 0));
                break;
            case 4:
                REQUIRE(dlist_concat(list, &lists[!which]) == 1);
                for (int i = 0; i < models[!which].length; i++)
                    insert(model, model->length, models[!which].nodes[i]);
                models[!which].length = 0;
                break;
            case 5:
                REQUIRE(dlist_remove_first(list) == (model->length > 0 ? model->nodes[0] : NULL));
                if (model->length > 0)
                    take(model, 0);
                break;
            case 6:
                REQUIRE(dlist_remove_last(list) ==
                        (model->length > 0 ? model->nodes[model->length - 1] : NULL));
                if (model->length > 0)
                    take(model, model->length - 1);
                break;
            case 7:
                REQUIRE(dlist_add_first(list, node) == (place < 0));
                if (place < 0)
                    insert(model, 0, node);
                break;
            case 8:
                REQUIRE(dlist_add_last(list, node) == (place < 0));
                if (place < 0)
                    insert(model, model->length, node);
                break;
            case 9: {
                int before = place_of(model, after);
                REQUIRE(dlist_add_after(list, after, node) == (place < 0 && before >= 0));
                if (place < 0 && before >= 0)
                    insert(model, before + 1, node);
                break;
            }
            case 10:
                REQUIRE(dlist_remove(list, node) == (place >= 0));
                if (place >= 0) {
                    REQUIRE(node->next == NULL && node->prev == NULL);
                    take(model, place);
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
    for (unsigned long code = 0; code < 1ul << 16; code++) {
        struct dlist_node nodes[3] = {{.value = 0}, {.value = 0}, {.value = 0}};
        struct dlist_node *targets[4] = {NULL, &nodes[0], &nodes[1], &nodes[2]};
        unsigned long rest = code;
        struct dlist list;
        list.first = targets[digit(&rest, 4)];
        list.last = targets[digit(&rest, 4)];
        for (int i = 0; i < 3; i++) {
            nodes[i].next = targets[digit(&rest, 4)];
            nodes[i].prev = targets[digit(&rest, 4)];
        }
        if (!dlist_check(&list))
            continue;
        int reached[3] = {0, 0, 0};
        for (const struct dlist_node *node = list.first; node != NULL; node = node->next)
            reached[node - nodes] = 1;
        int spare = 0;
        for (int i = 0; i < 3; i++)
            spare |= !reached[i] && (nodes[i].next != NULL || nodes[i].prev != NULL);
        valid += !spare;
    }
    REQUIRE(valid == 16);
    REQUIRE(!dlist_check(NULL));
}

static void append_nothing(void)
{
    struct dlist_node node = {.value = 1};
    struct dlist list = {&node, &node};
    struct dlist empty = {NULL, NULL};
    REQUIRE(dlist_concat(&list, &empty) == 1);
    REQUIRE(dlist_check(&list) && dlist_length(&list) == 1);
    REQUIRE(!dlist_add_first(&list, NULL) && !dlist_add_last(&list, NULL));
    REQUIRE(!dlist_add_after(&list, &node, NULL) && !dlist_remove(&list, NULL));
}

int main(int argc, char **argv)
{
    (void)argv;
    append_nothing();
    if (argc > 1)
        return 0;
    random_operations();
    all_small_graphs();
    return 0;
}
