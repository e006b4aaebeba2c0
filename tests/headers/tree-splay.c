// The operations of splay trees: SPLAY of <sys/tree.h>.
#include "check.h"
#include <bsd/sys/tree.h>
#include <limits.h>

struct node {
    SPLAY_ENTRY(node) link;
    int key;
};
SPLAY_HEAD(tree, node);

// A tree and one of its nodes.
struct place {
    struct tree *tree;
    struct node *node;
};

static int compare(const struct node *a, const struct node *b)
{
    return (a->key > b->key) - (a->key < b->key);
}

SPLAY_PROTOTYPE(tree, node, link, compare)
SPLAY_GENERATE(tree, node, link, compare)

static int in_order(const struct node *node, long low, long high, int depth)
{
    if (!node)
        return 1;
    return depth < MOST && node->key > low && node->key < high
        && in_order(node->link.spe_left, low, node->key, depth + 1)
        && in_order(node->link.spe_right, node->key, high, depth + 1);
}

static int valid(const struct tree *tree)
{
    return tree && in_order(tree->sph_root, LONG_MIN, LONG_MAX, 0);
}

static int within(const struct node *tree, const struct node *node)
{
    return tree
        && (tree == node || within(tree->link.spe_left, node) || within(tree->link.spe_right, node));
}

static int valid_place(struct place place)
{
    return place.node && valid(place.tree) && within(place.tree->sph_root, place.node);
}

// Splaying may make a tree deeper than those that are given.
static int ordered(const struct tree *tree)
{
    return in_order(tree->sph_root, LONG_MIN, LONG_MAX, -2 * MOST);
}

//: explore --valid tree:valid
void splay_init(struct tree *tree)
{
    SPLAY_INIT(tree);
    ensure(SPLAY_EMPTY(tree));
}

//: explore --valid tree:valid
void splay_insert(struct tree *tree, int key)
{
    struct node added = {.key = key};
    struct node *there = SPLAY_INSERT(tree, tree, &added);
    ensure(tree->sph_root == (there ? there : &added));
    ensure(tree->sph_root->key == key);
}

//: explore --valid place:valid_place
void splay_remove(struct place place)
{
    ensure(SPLAY_REMOVE(tree, place.tree, place.node) == place.node);
    ensure(ordered(place.tree));
}

//: explore --valid tree:valid
void splay_remove_key(struct tree *tree, int key)
{
    struct node wanted = {.key = key};
    struct node *removed = SPLAY_REMOVE(tree, tree, &wanted);
    ensure(!removed || removed == &wanted);
    ensure(ordered(tree));
}

//: explore --valid tree:valid
void splay_find(struct tree *tree, int key)
{
    struct node wanted = {.key = key};
    struct node *found = SPLAY_FIND(tree, tree, &wanted);
    ensure(!found || found->key == key);
    ensure(ordered(tree));
}

//: explore --valid place:valid_place
void splay_next(struct place place)
{
    struct node *next = SPLAY_NEXT(tree, place.tree, place.node);
    ensure(!next || next->key > place.node->key);
}

//: explore --valid tree:valid
void splay_min(struct tree *tree)
{
    struct node *least = SPLAY_MIN(tree, tree);
    ensure(!least || !least->link.spe_left);
}

//: explore --valid tree:valid
void splay_max(struct tree *tree)
{
    struct node *most = SPLAY_MAX(tree, tree);
    ensure(!most || !most->link.spe_right);
}

//: explore --valid tree:valid
void splay_foreach(struct tree *tree)
{
    struct node *node;
    SPLAY_FOREACH(node, tree, tree)
        node->key ^= 0;
}
