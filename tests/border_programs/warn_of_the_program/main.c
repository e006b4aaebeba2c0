//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
// `warn` is a function of the program, in another file: not the one of the library.
#include <stdlib.h>
#include <unistd.h>

int warn(int pressure);

int main(void)
{
    unsigned char pressure;
    if (read(0, &pressure, 1) != 1)
        return 1;
    if (warn(pressure) == 2)
        abort(); // fails here
    return 0;
}
