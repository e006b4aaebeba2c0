//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "9"
// A variable that the C library looks at is changed where it is.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static char zone[] = "TZ=XYZ0";

int main(void)
{
    putenv(zone);
    if (read(0, &zone[6], 1) != 1)
        return 1;
    time_t begin = 0;
    struct tm *local = localtime(&begin);
    if (local && local->tm_hour == 15)
        abort(); // fails here
    return 0;
}
