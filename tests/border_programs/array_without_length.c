//: holds = "honest"
//: function = "second"
//: witness = "second((struct item[]){{1}, {5}})"
// Nothing says that there is more than one element.
#include <stdlib.h>

struct item {
    int value;
};

int second(const struct item *items)
{
    if (items && items[1].value == 5)
        abort(); // fails here
    return 0;
}
