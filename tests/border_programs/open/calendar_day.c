//: holds = "found"
//: options = ["--input-size=8"]
//: witness = "\u0030\u00f7\u0011\u005e\u0000\u0000\u0000\u0000"
// A day of the calendar that gmtime makes of a number of seconds.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    time_t seconds;
    if (read(0, &seconds, sizeof seconds) != (ssize_t)sizeof seconds)
        return 1;
    if (seconds < 0 || seconds > 4000000000)
        return 2;
    const struct tm *day = gmtime(&seconds);
    if (day->tm_mon == 0 && day->tm_mday == 5 && day->tm_hour == 14)
        abort(); // fails here
    return 0;
}
