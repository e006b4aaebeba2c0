// A red-black tree of numbers, each once. Nodes belong to the caller; a node is in one tree at most.
#ifndef RB_TREE_H
#define RB_TREE_H

enum rb_color { RB_BLACK, RB_RED };

struct rb_node {
    int key;
    enum rb_color color;
    struct rb_node *left;
    struct rb_node *right;
    struct rb_node *parent;
};

struct rb_tree {
    struct rb_node *root;
};

// 1 if there is a tree and it is a red-black tree, otherwise 0: keys are in order, `parent` of every
// node is the node above it, the root is black, a red node has black children only, and all ways
// down have the same number of black nodes.
int rb_check(const struct rb_tree *tree);

void rb_init(struct rb_tree *tree);
int rb_length(const struct rb_tree *tree);

// How many nodes the longest way down has.
int rb_height(const struct rb_tree *tree);

// The node with this key, or NULL.
struct rb_node *rb_find(const struct rb_tree *tree, int key);
int rb_contains(const struct rb_tree *tree, int key);

// The node with the smallest key that is not smaller than this one, or NULL.
struct rb_node *rb_from(const struct rb_tree *tree, int key);

// The nodes with the smallest and the largest key, or NULL.
struct rb_node *rb_first(const struct rb_tree *tree);
struct rb_node *rb_last(const struct rb_tree *tree);

// The node after or before a node of the tree in the order of keys, or NULL.
struct rb_node *rb_next(const struct rb_tree *tree, const struct rb_node *node);
struct rb_node *rb_previous(const struct rb_tree *tree, const struct rb_node *node);

// Adds a node. It returns 0, and does nothing, if its key is there already, or for NULL.
int rb_insert(struct rb_tree *tree, struct rb_node *node);

// Takes a node out; 0 if it is not in the tree.
int rb_remove(struct rb_tree *tree, struct rb_node *node);

// Takes the node with this key out and returns it, or NULL.
struct rb_node *rb_remove_key(struct rb_tree *tree, int key);

#endif
