//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "p"
// A byte of the input goes through a pipe and comes back from the kernel.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char sent, received;
    int ends[2];
    if (read(0, &sent, 1) != 1 || pipe(ends) != 0)
        return 1;
    if (write(ends[1], &sent, 1) != 1 || read(ends[0], &received, 1) != 1)
        return 2;
    if (received == 'p')
        abort(); // fails here
    return 0;
}
