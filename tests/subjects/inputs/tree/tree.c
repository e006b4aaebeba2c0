/* A search tree: deleting a node with two children loses its successor's right subtree. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

struct node { int16_t key; struct node *left, *right; };

static struct node *insert(struct node *t, int16_t key)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        if (!t)
            _exit(98);
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    }
    return t;
}

static int size(const struct node *t)
{
    return t ? 1 + size(t->left) + size(t->right) : 0;
}

static struct node *take_root(struct node *t)
{
    if (!t->left)
        return t->right;
    if (!t->right)
        return t->left;
    struct node *parent = t, *next = t->right;
    while (next->left) {
        parent = next;
        next = next->left;
    }
    if (parent == t)
        parent->right = next->right;
    else
        parent->left = NULL;
    t->key = next->key;
    return t;
}

int main(void)
{
    int16_t keys[6];
    if (read(0, keys, sizeof keys) != (ssize_t)sizeof keys)
        return 99;
    struct node *tree = NULL;
    for (int i = 0; i < 5; i++)
        tree = insert(tree, keys[i]);
    int before = size(tree);
    if (tree->key != keys[5])
        return 1;
    tree = take_root(tree);
    assert(size(tree) == before - 1); // fails here
    return 0;
}
