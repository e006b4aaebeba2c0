//: holds = "found"
//: options = ["--input-size=1"]
//: cflags = "-pthread"
//: witness = "X"
// A thread of C's own returns a number that depends on the input.
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

static int value_of(void *byte)
{
    return *(unsigned char *)byte;
}

int main(void)
{
    unsigned char byte;
    if (read(0, &byte, 1) != 1)
        return 1;
    thrd_t thread;
    int value = 0;
    if (thrd_create(&thread, value_of, &byte) != thrd_success)
        return 2;
    thrd_join(thread, &value);
    if (value == 'X')
        abort(); // fails here
    return 0;
}
