//: holds = "found"
//: function = "sum"
//: complete = true
// A length that is signed may be negative.
#include <stdlib.h>

int sum(const int *numbers, int count)
{
    if (!numbers || count > 4)
        return 0;
    if (count < 0)
        abort(); // fails here
    return count;
}
