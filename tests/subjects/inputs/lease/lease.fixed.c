/* A lease that runs for the seconds that the input says. What the clock, the process number and the
 * random numbers are decides whether it fails, so they must be the same in every run. */
#include <assert.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    unsigned char asked[2];
    unsigned random;
    time_t begin = time(NULL), end;

    if (read(0, asked, 2) != 2 || getrandom(&random, sizeof random, 0) != sizeof random)
        return 1;
    end = begin + asked[0];
    if (asked[0] > 9)
        return 2;
    sleep(3600);
    while (time(NULL) < begin + 3601)
        ;
    if (asked[1] != (unsigned char)(random + (unsigned)getpid() + (unsigned)begin))
        return 3;
    assert(time(NULL) > end);
    return 0;
}
