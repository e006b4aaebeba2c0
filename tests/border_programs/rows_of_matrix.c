//: holds = "found"
//: function = "corner"
//: complete = true
// A parameter that is declared as an array has all of its elements.
#include <stdlib.h>

int corner(int matrix[3][4])
{
    if (matrix && matrix[2][3] == 5 && matrix[0][0] == matrix[1][1] + 1)
        abort(); // fails here
    return 0;
}
