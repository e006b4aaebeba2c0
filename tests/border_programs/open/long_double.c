//: holds = "found"
//: options = ["--input-size=4"]
//: witness = "\u0067\u0001\u0000\u0000"
// An integer is divided as a `long double`, and the result compared.
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    int eighths;
    if (read(0, &eighths, sizeof eighths) != (ssize_t)sizeof eighths)
        return 1;
    long double inches = eighths;
    inches /= 8;
    if (inches == 44.875L)
        abort(); // fails here
    return 0;
}
