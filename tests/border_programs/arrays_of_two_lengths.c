//: holds = "found"
//: function = "moved"
//: complete = true
//: options = ["--max-array=3"]
// One array with two lengths: no more is read of it than there is.
#include <stdlib.h>

int moved(int *first, unsigned first_count, const int *second, int second_count)
{
    if (!first || !second || first != second)
        return 0;
    if (first_count == 1 && second_count == 3 && second[2] == 7)
        abort(); // fails here
    return first_count > 2 && second_count == 2 ? first[2] : 0;
}
