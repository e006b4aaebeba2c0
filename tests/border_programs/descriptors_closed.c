//: holds = "found"
//: options = ["--input-size=1"]
//: witness = "c"
// A program that closes all descriptors but the first three, as daemons do, can be explored.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    for (int file = 3; file < 1024; file++)
        close(file);
    unsigned char c;
    if (read(0, &c, 1) != 1)
        return 1;
    if (c == 'c')
        abort(); // fails here
    return 0;
}
