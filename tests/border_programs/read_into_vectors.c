//: holds = "honest"
//: options = ["--input-size=2"]
//: witness = "pv"
// The input is read with preadv, into places that a vector names.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/uio.h>

int main(void)
{
    char first, second;
    struct iovec places[] = {{&first, 1}, {&second, 1}};
    if (preadv(0, places, 2, 0) != 2)
        return 1;
    if (first == 'p' && second == 'v')
        abort(); // fails here
    return 0;
}
