//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "X"
// Whether there is something to wait for depends on what was written.
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

int main(void)
{
    int event = eventfd(0, EFD_NONBLOCK);
    unsigned char byte;
    if (read(0, &byte, 1) != 1)
        return 1;
    uint64_t count = byte ^ 'X';
    if (write(event, &count, sizeof count) < 0)
        return 1;
    struct pollfd ready = {.fd = event, .events = POLLIN};
    if (poll(&ready, 1, 0) == 0)
        abort(); // fails here
    return 0;
}
