//: holds = "honest"
//: options = ["--env=TZ=@arg:6"]
//: witness = "AAA-2"
// A variable of the environment that only the library reads, and what it makes of it.
#include <stdlib.h>
#include <time.h>

int main(void)
{
    tzset();
    if (timezone == -2 * 3600)
        abort(); // fails here
    return 0;
}
