//: holds = "found"
//: function = "follow"
//: complete = true
//: options = ["--max-objects=3"]
// Two calls of `abort` side by side are two failures, each with its line.
#include <stdlib.h>

struct node {
    struct node *next;
};

int follow(struct node *node)
{
    if (!node || !node->next)
        return 0;
    if (node->next == node)
        abort(); // fails here
    abort(); // fails here
}
