//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "\u0004"
// What is waited for, of the second of two descriptors, depends on the input.
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    unsigned char wanted;
    if (pipe(ends) != 0 || read(0, &wanted, 1) != 1)
        return 1;
    struct pollfd both[2] = {{.fd = ends[0], .events = POLLIN}, {.fd = ends[1], .events = wanted}};
    poll(both, 2, 0);
    if (both[1].revents == POLLOUT)
        abort(); // fails here
    return 0;
}
