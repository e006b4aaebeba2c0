//: holds = "found"
//: function = "each"
//: complete = true
// A callback with data of its caller's is a function of the file, and the data what it takes them for.
#include <stdlib.h>

struct sum {
    int all, most;
};

int add(int number, void *data)
{
    struct sum *sum = data;
    return sum && number + sum->all > sum->most;
}

int each(int number, int (*visit)(int, void *), void *data)
{
    if (visit == add && data && number == 3 && visit(number, data))
        abort(); // fails here
    return 0;
}
