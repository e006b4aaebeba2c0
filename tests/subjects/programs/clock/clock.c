// Time, numbers at random and the process: the same in every run, so a case replays.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    unsigned char b;
    time_t before = time(NULL);
    srand((unsigned)before ^ (unsigned)getpid());
    unsigned char secret = (unsigned char)rand();
    if (read(0, &b, 1) != 1)
        return 1;
#ifdef REPAIRED
    if (b == secret)
        return 2;
#else
    if (b == secret)
        abort(); // fails here
#endif
    return 0;
}
