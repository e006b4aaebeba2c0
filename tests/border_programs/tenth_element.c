//: holds = "found"
//: function = "rated"
//: complete = true
//: witness = "rated((int[10]){[9] = 2500})"
// A parameter that is declared as an array of ten has more elements than arrays have by default.
#include <stdlib.h>

int rated(const int marks[10])
{
    if (!marks)
        return 0;
    if (marks[9] == 2500)
        abort(); // fails here
    return marks[0];
}
