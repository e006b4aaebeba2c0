//: holds = "found"
//: function = "sum"
//: complete = true
//: options = ["--max-array=3"]
// What is written to may be the array that is read, whatever says how long that is.
#include <stddef.h>
#include <stdlib.h>

void sum(const int *items, size_t item_count, int *total)
{
    if (!items || !total)
        return;
    *total = 0;
    for (size_t i = 0; i < item_count; i++) {
        int before = items[i];
        *total += 1;
        if (items[i] != before)
            abort(); // fails here
    }
}
