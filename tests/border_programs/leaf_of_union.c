//: holds = "honest"
//: function = "value"
//: options = ["--max-objects=2"]
//: witness = "value(&(struct term){.kind = LEAF, .as.leaf = 55})"
// A union of a number and of pointers, with a tag beside it that says which it is.
#include <stdlib.h>

struct term {
    enum { LEAF, SUM, MINUS } kind;
    union {
        int leaf;
        struct {
            struct term *left, *right;
        } sum;
        struct term *minus;
    } as;
};

static int valued(const struct term *term, int depth)
{
    if (!term || depth > 2)
        return 0;
    switch (term->kind) {
    case LEAF:
        return term->as.leaf;
    case SUM:
        return valued(term->as.sum.left, depth + 1) + valued(term->as.sum.right, depth + 1);
    case MINUS:
        return -valued(term->as.minus, depth + 1);
    }
    return 0;
}

int value(const struct term *term)
{
    int result = valued(term, 0);
    if (term && term->kind == LEAF && result == 55)
        abort(); // fails here
    return result;
}
