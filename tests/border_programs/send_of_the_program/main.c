//: holds = "found"
//: complete = true
//: options = ["--input-size=2"]
// `send` is a function of the program: nothing goes to a socket, and what it keeps is followed.
#include "mailbox.h"
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    struct mailbox box = {{0}, 0};
    unsigned char letters[2];
    if (read(0, letters, sizeof letters) != (ssize_t)sizeof letters)
        return 1;
    if (send(&box, letters[0]) != 0 || send(&box, letters[1]) != 0)
        return 2;
    if (box.letters[0] - box.letters[1] == 33)
        abort(); // fails here
    return 0;
}
