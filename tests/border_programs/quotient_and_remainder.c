//: holds = "found"
//: complete = true
//: options = ["--input-size=4"]
// `div` returns a structure in registers, and both parts are followed.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int minutes;
    if (read(0, &minutes, sizeof minutes) != (ssize_t)sizeof minutes)
        return 1;
    div_t time = div(minutes, 60);
    if (time.quot == 23 && time.rem == 59)
        abort(); // fails here
    return 0;
}
