// A red-black tree of numbers whose nodes belong to the caller.
#include "rb_tree.h"
#include <stddef.h>

static int is_red(const struct rb_node *node)
{
    return node != NULL && node->color == RB_RED;
}

// The number of black nodes on every way down from `node`, or -1 if it is no part of a red-black
// tree below `parent` with keys between those of `low` and `high`. Every node below another one is
// met once, since it has one parent, and is not both of its children.
static int black_height(const struct rb_node *node, const struct rb_node *parent,
                        const struct rb_node *low, const struct rb_node *high)
{
    if (node == NULL)
        return 0;
    if (node->parent != parent)
        return -1;
    if (node->color != RB_BLACK && node->color != RB_RED)
        return -1;
    if (low != NULL && node->key <= low->key)
        return -1;
    if (high != NULL && node->key >= high->key)
        return -1;
    if (is_red(node) && is_red(parent))
        return -1;
    int left = black_height(node->left, node, low, node);
    if (left < 0)
        return -1;
    int right = black_height(node->right, node, node, high);
    if (right != left)
        return -1;
    return left + (node->color == RB_BLACK);
}

int rb_check(const struct rb_tree *tree)
{
    if (tree == NULL)
        return 0;
    if (is_red(tree->root))
        return 0;
    return black_height(tree->root, NULL, NULL, NULL) >= 0;
}

void rb_init(struct rb_tree *tree)
{
    tree->root = NULL;
}

static int length_of(const struct rb_node *node)
{
    return node == NULL ? 0 : length_of(node->left) + 1 + length_of(node->right);
}

int rb_length(const struct rb_tree *tree)
{
    return length_of(tree->root);
}

static int height_of(const struct rb_node *node)
{
    if (node == NULL)
        return 0;
    int left = height_of(node->left);
    int right = height_of(node->right);
    return 1 + (left > right ? left : right);
}

int rb_height(const struct rb_tree *tree)
{
    return height_of(tree->root);
}

struct rb_node *rb_find(const struct rb_tree *tree, int key)
{
    struct rb_node *node = tree->root;
    while (node != NULL && node->key != key)
        node = key < node->key ? node->left : node->right;
    return node;
}

int rb_contains(const struct rb_tree *tree, int key)
{
    return rb_find(tree, key) != NULL;
}

struct rb_node *rb_from(const struct rb_tree *tree, int key)
{
    struct rb_node *found = NULL;
    struct rb_node *node = tree->root;
    while (node != NULL) {
        if (node->key < key) {
            node = node->right;
        } else {
            found = node;
            node = node->left;
        }
    }
    return found;
}

static struct rb_node *leftmost(struct rb_node *node)
{
    while (node->left != NULL)
        node = node->left;
    return node;
}

static struct rb_node *rightmost(struct rb_node *node)
{
    while (node->right != NULL)
        node = node->right;
    return node;
}

struct rb_node *rb_first(const struct rb_tree *tree)
{
    return tree->root != NULL ? leftmost(tree->root) : NULL;
}

struct rb_node *rb_last(const struct rb_tree *tree)
{
    return tree->root != NULL ? rightmost(tree->root) : NULL;
}

// Whether this very node is in the tree.
static int holds(const struct rb_tree *tree, const struct rb_node *node)
{
    return node != NULL && rb_find(tree, node->key) == node;
}

struct rb_node *rb_next(const struct rb_tree *tree, const struct rb_node *node)
{
    if (!holds(tree, node))
        return NULL;
    if (node->right != NULL)
        return leftmost(node->right);
    while (node->parent != NULL && node == node->parent->right)
        node = node->parent;
    return node->parent;
}

struct rb_node *rb_previous(const struct rb_tree *tree, const struct rb_node *node)
{
    if (!holds(tree, node))
        return NULL;
    if (node->left != NULL)
        return rightmost(node->left);
    while (node->parent != NULL && node == node->parent->left)
        node = node->parent;
    return node->parent;
}

// Puts `other`, which may be NULL, in the place of `node`.
static void replace(struct rb_tree *tree, struct rb_node *node, struct rb_node *other)
{
    if (node->parent == NULL)
        tree->root = other;
    else if (node == node->parent->left)
        node->parent->left = other;
    else
        node->parent->right = other;
    if (other != NULL)
        other->parent = node->parent;
}

// The right child comes up, and `node` goes down to the left of it.
static void rotate_left(struct rb_tree *tree, struct rb_node *node)
{
    struct rb_node *up = node->right;
    replace(tree, node, up);
    node->right = up->left;
    if (node->right != NULL)
        node->right->parent = node;
    up->left = node;
    node->parent = up;
}

// The left child comes up, and `node` goes down to the right of it.
static void rotate_right(struct rb_tree *tree, struct rb_node *node)
{
    struct rb_node *up = node->left;
    replace(tree, node, up);
    node->left = up->right;
    if (node->left != NULL)
        node->left->parent = node;
    up->right = node;
    node->parent = up;
}

// Mends a tree whose only fault may be that `node` and its parent are both red.
static void mend_red(struct rb_tree *tree, struct rb_node *node)
{
    while (is_red(node->parent)) {
        struct rb_node *parent = node->parent;
        struct rb_node *grandparent = parent->parent;
        int is_left = parent == grandparent->left;
        struct rb_node *uncle = is_left ? grandparent->right : grandparent->left;
        if (is_red(uncle)) {
            parent->color = RB_BLACK;
            uncle->color = RB_BLACK;
            grandparent->color = RB_RED;
            node = grandparent;
        } else if (is_left) {
            if (node == parent->right) {
                rotate_left(tree, parent);
                parent = node;
            }
            parent->color = RB_BLACK;
            grandparent->color = RB_RED;
            rotate_right(tree, grandparent);
            break;
        } else {
            if (node == parent->left) {
                rotate_right(tree, parent);
                parent = node;
            }
            parent->color = RB_BLACK;
            grandparent->color = RB_RED;
            rotate_left(tree, grandparent);
            break;
        }
    }
    tree->root->color = RB_BLACK;
}

int rb_insert(struct rb_tree *tree, struct rb_node *node)
{
    if (node == NULL)
        return 0;
    struct rb_node *parent = NULL;
    struct rb_node **place = &tree->root;
    while (*place != NULL) {
        parent = *place;
        if (node->key == parent->key)
            return 0;
        place = node->key < parent->key ? &parent->left : &parent->right;
    }
    node->color = RB_RED;
    node->left = NULL;
    node->right = NULL;
    node->parent = parent;
    *place = node;
    mend_red(tree, node);
    return 1;
}

// Mends a tree in which the ways through `node`, a child of `parent` that may be NULL, have one
// black node less than the others.
static void mend_black(struct rb_tree *tree, struct rb_node *node, struct rb_node *parent)
{
    while (parent != NULL && !is_red(node)) {
        if (node == parent->left) {
            struct rb_node *sibling = parent->right;
            if (is_red(sibling)) {
                sibling->color = RB_BLACK;
                parent->color = RB_RED;
                rotate_left(tree, parent);
                sibling = parent->right;
            }
            if (!is_red(sibling->left) && !is_red(sibling->right)) {
                sibling->color = RB_RED;
                node = parent;
                parent = node->parent;
                continue;
            }
            if (!is_red(sibling->right)) {
                sibling->left->color = RB_BLACK;
                sibling->color = RB_RED;
                rotate_right(tree, sibling);
                sibling = parent->right;
            }
            sibling->color = parent->color;
            parent->color = RB_BLACK;
            sibling->right->color = RB_BLACK;
            rotate_left(tree, parent);
        } else {
            struct rb_node *sibling = parent->left;
            if (is_red(sibling)) {
                sibling->color = RB_BLACK;
                parent->color = RB_RED;
                rotate_right(tree, parent);
                sibling = parent->left;
            }
            if (!is_red(sibling->left) && !is_red(sibling->right)) {
                sibling->color = RB_RED;
                node = parent;
                parent = node->parent;
                continue;
            }
            if (!is_red(sibling->left)) {
                sibling->right->color = RB_BLACK;
                sibling->color = RB_RED;
                rotate_left(tree, sibling);
                sibling = parent->left;
            }
            sibling->color = parent->color;
            parent->color = RB_BLACK;
            sibling->left->color = RB_BLACK;
            rotate_right(tree, parent);
        }
        return;
    }
    if (node != NULL)
        node->color = RB_BLACK;
}

// Takes a node of the tree out.
static void take_out(struct rb_tree *tree, struct rb_node *node)
{
    enum rb_color lost = node->color;
    struct rb_node *moved;
    struct rb_node *parent;
    if (node->left == NULL) {
        moved = node->right;
        parent = node->parent;
        replace(tree, node, moved);
    } else if (node->right == NULL) {
        moved = node->left;
        parent = node->parent;
        replace(tree, node, moved);
    } else {
        // The next node comes up in its place, with its color.
        struct rb_node *next = leftmost(node->right);
        lost = next->color;
        moved = next->right;
        parent = next;
        if (next->parent != node) {
            parent = next->parent;
            replace(tree, next, moved);
            next->right = node->right;
            next->right->parent = next;
        }
        replace(tree, node, next);
        next->left = node->left;
        next->left->parent = next;
        next->color = node->color;
    }
    if (lost == RB_BLACK)
        mend_black(tree, moved, parent);
}

int rb_remove(struct rb_tree *tree, struct rb_node *node)
{
    if (!holds(tree, node))
        return 0;
    take_out(tree, node);
    return 1;
}

struct rb_node *rb_remove_key(struct rb_tree *tree, int key)
{
    struct rb_node *node = rb_find(tree, key);
    if (node != NULL)
        take_out(tree, node);
    return node;
}
