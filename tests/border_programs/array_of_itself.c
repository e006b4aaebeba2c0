//: holds = "found"
//: function = "closed"
//: complete = true
//: options = ["--max-array=3", "--max-objects=2"]
// What a member leads to may be the array that a parameter is, if it has no more than one element.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int closed(struct node *nodes, unsigned node_count)
{
    if (nodes && node_count == 1 && nodes[0].next == nodes)
        abort(); // fails here
    return 0;
}
