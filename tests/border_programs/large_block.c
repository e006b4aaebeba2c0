//: holds = "clean"
//: options = ["--input-size=1"]
// A block that is larger than what a run may use: it is the limit that fails, not the program.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char place;
    if (read(0, &place, 1) != 1)
        return 1;
    char *block = malloc(3UL << 30);
    block[place] = 1;
    block[3UL << 29] = 2;
    free(block);
    return 0;
}
