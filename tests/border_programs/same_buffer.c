//: holds = "found"
//: function = "copied"
//: complete = true
// Two buffers of one length may be the same.
#include <stddef.h>
#include <stdlib.h>

int copied(int *to, const int *from, size_t count)
{
    if (!to || !from || count != 2)
        return 0;
    int before = from[1];
    to[1] = 2;
    if (from[1] != before)
        abort(); // fails here
    return 1;
}
