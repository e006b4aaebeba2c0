// The operations of red-black trees: RB of <sys/tree.h>.
#include "check.h"
#include <bsd/sys/tree.h>
#include <limits.h>

struct node {
    RB_ENTRY(node) link;
    int key;
};
RB_HEAD(tree, node);

// A tree and one of its nodes, or none.
struct place {
    struct tree *tree;
    struct node *node;
};

static int compare(const struct node *a, const struct node *b)
{
    return (a->key > b->key) - (a->key < b->key);
}

RB_GENERATE(tree, node, link, compare)

// Black nodes on the way down, or -1 if this is no part of a red-black tree.
static int blacks(const struct node *node, const struct node *parent, long low, long high, int depth)
{
    if (!node)
        return 0;
    if (depth == MOST || node->link.rbe_parent != parent)
        return -1;
    if (node->link.rbe_color != RB_BLACK
        && (node->link.rbe_color != RB_RED || !parent || parent->link.rbe_color == RB_RED))
        return -1;
    if (node->key <= low || node->key >= high)
        return -1;
    int left = blacks(node->link.rbe_left, node, low, node->key, depth + 1);
    if (left < 0 || left != blacks(node->link.rbe_right, node, node->key, high, depth + 1))
        return -1;
    return left + (node->link.rbe_color == RB_BLACK);
}

static int valid(const struct tree *tree)
{
    return tree && blacks(tree->rbh_root, NULL, LONG_MIN, LONG_MAX, 0) >= 0;
}

static int within(const struct node *tree, const struct node *node)
{
    return tree
        && (tree == node || within(tree->link.rbe_left, node) || within(tree->link.rbe_right, node));
}

static int valid_start(struct place place)
{
    return valid(place.tree) && (!place.node || within(place.tree->rbh_root, place.node));
}

static int valid_place(struct place place)
{
    return place.node && valid_start(place);
}

//: explore --valid tree:valid
void rb_init(struct tree *tree)
{
    RB_INIT(tree);
    ensure(RB_EMPTY(tree));
}

//: explore --valid tree:valid
int rb_empty(struct tree *tree)
{
    return RB_EMPTY(tree);
}

//: explore --valid tree:valid
void rb_insert(struct tree *tree, int key)
{
    struct node added = {.key = key};
    struct node *there = RB_INSERT(tree, tree, &added);
    ensure(!there || there->key == key);
    ensure(RB_FIND(tree, tree, &added) == (there ? there : &added));
}

//: explore --valid place:valid_place
void rb_remove(struct place place)
{
    ensure(RB_REMOVE(tree, place.tree, place.node) == place.node);
    ensure(valid(place.tree));
}

//: explore --valid tree:valid
//: segv: misuse: there is no node, or it is in no tree and what it has for links is nowhere
//: hang: misuse: the node is in no tree, and its links lead in a ring
void rb_remove_stranger(struct tree *tree, struct node *node)
{
    RB_REMOVE(tree, tree, node);
}

//: explore --valid tree:valid
void rb_find(struct tree *tree, int key)
{
    struct node wanted = {.key = key};
    struct node *found = RB_FIND(tree, tree, &wanted);
    ensure(!found || found->key == key);
}

//: explore --valid tree:valid
void rb_nfind(struct tree *tree, int key)
{
    struct node wanted = {.key = key};
    struct node *found = RB_NFIND(tree, tree, &wanted);
    ensure(!found || found->key >= key);
}

//: explore --valid place:valid_place
void rb_next(struct place place)
{
    struct node *next = RB_NEXT(tree, place.tree, place.node);
    ensure(!next || next->key > place.node->key);
}

//: explore --valid place:valid_place
void rb_prev(struct place place)
{
    struct node *before = RB_PREV(tree, place.tree, place.node);
    ensure(!before || before->key < place.node->key);
}

//: explore --valid tree:valid
void rb_min(struct tree *tree)
{
    struct node *least = RB_MIN(tree, tree);
    ensure(!least || !least->link.rbe_left);
}

//: explore --valid tree:valid
void rb_max(struct tree *tree)
{
    struct node *most = RB_MAX(tree, tree);
    ensure(!most || !most->link.rbe_right);
}

//: explore --valid tree:valid
int rb_foreach(struct tree *tree)
{
    struct node *node;
    int sum = 0;
    RB_FOREACH(node, tree, tree)
        sum ^= node->key;
    return sum;
}

//: explore --valid place:valid_start
int rb_foreach_from(struct place place)
{
    struct node *node;
    int sum = 0;
    RB_FOREACH_FROM(node, tree, place.node)
        sum ^= node->key;
    return sum;
}

//: explore --valid tree:valid
void rb_foreach_safe(struct tree *tree)
{
    struct node *node, *next;
    RB_FOREACH_SAFE(node, tree, tree, next)
        node->key = 0;
}

//: explore --valid tree:valid
int rb_foreach_reverse(struct tree *tree)
{
    struct node *node;
    int sum = 0;
    RB_FOREACH_REVERSE(node, tree, tree)
        sum ^= node->key;
    return sum;
}

//: explore --valid place:valid_start
int rb_foreach_reverse_from(struct place place)
{
    struct node *node;
    int sum = 0;
    RB_FOREACH_REVERSE_FROM(node, tree, place.node)
        sum ^= node->key;
    return sum;
}

//: explore --valid tree:valid
void rb_foreach_reverse_safe(struct tree *tree)
{
    struct node *node, *next;
    RB_FOREACH_REVERSE_SAFE(node, tree, tree, next)
        node->key = 0;
}
