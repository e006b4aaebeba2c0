//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "X"
// How long is slept depends on the input, and the clock tells it afterwards.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    unsigned char step;
    if (read(0, &step, 1) != 1)
        return 1;
    struct timespec before, after, pause = {0, step == 0 ? 0 : (long)step * 1000000};
    clock_gettime(CLOCK_MONOTONIC, &before);
    nanosleep(&pause, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    long passed = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
    if (passed >= 'X' && passed < 'X' + 10)
        abort(); // fails here
    return 0;
}
