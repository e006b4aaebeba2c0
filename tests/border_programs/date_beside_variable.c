//: holds = "clean"
//: complete = true
//: options = ["--env=LEVEL=@arg:1"]
// A variable that is an input is none that the C library looks at for a date.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
    const char *level = getenv("LEVEL");
    time_t now = time(NULL);
    char stamp[32];
    strftime(stamp, sizeof stamp, "%H:%M:%S", localtime(&now));
    fprintf(stderr, "%s\n", stamp);
    return level && *level == 'x';
}
