//: holds = "clean"
//: function = "checked"
//: complete = true
//: options = ["--max-array=3", "--max-objects=2"]
// A part of another object may be an array of one element, and of no more.
#include <stdlib.h>

struct item {
    int value;
};

struct box {
    struct item first;
    int secret;
};

int checked(const struct item *items, unsigned item_count, const struct box *box)
{
    if (items && box && items == &box->first && item_count > 1)
        abort();
    return 0;
}
