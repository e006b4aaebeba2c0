//: holds = "found"
//: function = "balance"
//: complete = true
//: witness = "balance((int[3][3]){{30, 0, 0}, {0}, {0, 0, 6}})"
// A parameter with two dimensions: the failure needs elements of the first and of the last row.
#include <stdlib.h>

int balance(const int matrix[3][3])
{
    if (!matrix)
        return 0;
    int sum = 0;
    for (int column = 0; column < 3; column++)
        sum += column == 1 ? -matrix[0][column] : matrix[0][column];
    if (sum == 30 && matrix[2][2] == 6)
        abort(); // fails here
    return sum;
}
