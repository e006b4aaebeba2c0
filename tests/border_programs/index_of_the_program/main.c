//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
//: cflags = "-std=c99"
// `index` is a function of the program that is given numbers: not the one of the library on texts.
#include <stdlib.h>
#include <unistd.h>

int index(int rank, int file);

int main(void)
{
    static int board[64];
    unsigned char square;
    if (read(0, &square, 1) != 1)
        return 1;
    board[44] = 1;
    if (board[index(square & 7, square >> 3 & 7)])
        abort(); // fails here
    return 0;
}
