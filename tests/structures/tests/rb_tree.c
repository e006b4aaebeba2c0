// Tests of the red-black tree.
#include "../rb_tree.h"
#include "support.h"

enum { KEYS = 24 };

// What the tree has: for each key the node with it, or NULL.
struct model {
    struct rb_node *nodes[KEYS];
};

static int log2_of(int number)
{
    int log = 0;
    while (number > 1) {
        number /= 2;
        log++;
    }
    return log;
}

static void agrees(const struct rb_tree *tree, const struct model *model)
{
    REQUIRE(rb_check(tree));
    struct rb_node *before = NULL;
    int length = 0;
    for (int key = 0; key < KEYS; key++) {
        struct rb_node *wanted = model->nodes[key];
        REQUIRE(rb_find(tree, key) == wanted);
        REQUIRE(rb_contains(tree, key) == (wanted != NULL));
        struct rb_node *from = before == NULL ? rb_first(tree) : rb_next(tree, before);
        REQUIRE(rb_from(tree, key) == from);
        if (wanted == NULL)
            continue;
        REQUIRE(from == wanted && rb_previous(tree, wanted) == before);
        before = wanted;
        length++;
    }
    REQUIRE(rb_from(tree, KEYS) == NULL);
    REQUIRE(rb_last(tree) == before && (before == NULL || rb_next(tree, before) == NULL));
    REQUIRE(rb_length(tree) == length);
    // No way down is more than twice as long as another one.
    REQUIRE(rb_height(tree) <= 2 * log2_of(length + 1));
    REQUIRE(rb_height(tree) >= log2_of(length) + (length > 0));
}

static void random_operations(void)
{
    uint64_t state = 7;
    for (int round = 0; round < 300; round++) {
        // For each key two nodes.
        struct rb_node *nodes = calloc(2 * KEYS, sizeof *nodes);
        struct rb_tree tree;
        struct model model = {{NULL}};
        rb_init(&tree);
        for (int i = 0; i < 2 * KEYS; i++)
            nodes[i].key = i % KEYS;
        int keys = 1 + below(&state, KEYS);
        for (int step = 0; step < 100; step++) {
            struct rb_node *node = &nodes[below(&state, keys) + KEYS * below(&state, 2)];
            struct rb_node **present = &model.nodes[node->key];
            switch (below(&state, 4)) {
            case 0:
            case 1:
                REQUIRE(rb_insert(&tree, node) == (*present == NULL));
                if (*present == NULL)
                    *present = node;
                break;
            case 2:
                if (*present != node) {
                    REQUIRE(rb_next(&tree, node) == NULL && rb_previous(&tree, node) == NULL);
                    REQUIRE(rb_remove(&tree, node) == 0);
                    break;
                }
                REQUIRE(rb_remove(&tree, node) == 1);
                *present = NULL;
                break;
            case 3:
                REQUIRE(rb_remove_key(&tree, node->key) == *present);
                *present = NULL;
                break;
            }
            agrees(&tree, &model);
        }
        free(nodes);
    }
}

// Whether a node that cannot be reached is as it was made.
static int is_spare(const struct rb_node *node)
{
    return node->left != NULL || node->right != NULL || node->parent != NULL ||
           node->color != RB_BLACK;
}

static void reach(const struct rb_node *node, const struct rb_node *nodes, int *reached)
{
    if (node == NULL)
        return;
    reached[node - nodes] = 1;
    reach(node->left, nodes, reached);
    reach(node->right, nodes, reached);
}

// Of all graphs of three nodes with the keys 0, 1 and 2 in which what cannot be reached is black and
// points nowhere, these are red-black trees: the empty one; 3 of one node; 2 for each of 3 pairs,
// with a red child on either side; and 2 of all three, with both children red or both black.
static void all_small_graphs(void)
{
    int valid = 0;
    for (unsigned long code = 0; code < 1ul << 23; code++) {
        struct rb_node nodes[3] = {{.key = 0}, {.key = 1}, {.key = 2}};
        struct rb_node *targets[4] = {NULL, &nodes[0], &nodes[1], &nodes[2]};
        unsigned long rest = code;
        struct rb_tree tree = {targets[digit(&rest, 4)]};
        for (int i = 0; i < 3; i++) {
            nodes[i].left = targets[digit(&rest, 4)];
            nodes[i].right = targets[digit(&rest, 4)];
            nodes[i].parent = targets[digit(&rest, 4)];
            nodes[i].color = digit(&rest, 2) ? RB_RED : RB_BLACK;
        }
        if (!rb_check(&tree))
            continue;
        int reached[3] = {0, 0, 0};
        reach(tree.root, nodes, reached);
        int spare = 0;
        for (int i = 0; i < 3; i++)
            spare |= !reached[i] && is_spare(&nodes[i]);
        valid += !spare;
    }
    REQUIRE(valid == 1 + 3 + 2 * 3 + 2);
    REQUIRE(!rb_check(NULL));
}

static void what_is_no_tree(void)
{
    struct rb_tree tree = {NULL};
    struct rb_node node = {.key = 1};
    REQUIRE(!rb_insert(&tree, NULL) && !rb_remove(&tree, NULL));
    REQUIRE(rb_next(&tree, NULL) == NULL && rb_previous(&tree, NULL) == NULL);
    REQUIRE(rb_insert(&tree, &node) && rb_check(&tree));
    node.color = (enum rb_color)2;
    REQUIRE(!rb_check(&tree));
    node.color = RB_BLACK;
    // A key that is there twice, on either side.
    struct rb_node child = {.key = 1, .color = RB_RED, .parent = &node};
    node.right = &child;
    REQUIRE(!rb_check(&tree));
    node.right = NULL;
    node.left = &child;
    REQUIRE(!rb_check(&tree));
    child.key = 0;
    REQUIRE(rb_check(&tree));
}

int main(void)
{
    random_operations();
    all_small_graphs();
    what_is_no_tree();
    return 0;
}
