//: holds = "honest"
//: options = ["--max-input=16"]
//: witness = "five."
// How many bytes of the input are waiting is asked with ioctl.
#include <stdlib.h>
#include <sys/ioctl.h>

int main(void)
{
    int waiting = 0;
    if (ioctl(0, FIONREAD, &waiting) != 0)
        return 1;
    if (waiting == 5)
        abort(); // fails here
    return 0;
}
