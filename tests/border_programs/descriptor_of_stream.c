//: holds = "honest"
//: options = ["--max-input=2"]
//: witness = "XY"
// A stream reads ahead, and so leaves nothing to who reads from its descriptor.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char next;
    if (getchar() == 'X' && lseek(0, 0, SEEK_CUR) == 2 && read(0, &next, 1) == 0)
        abort(); // fails here
    return 0;
}
