//: holds = "found"
//: complete = true
//: options = ["--input-size=4"]
// A number is taken from a string by a stream over it.
#include <cstdlib>
#include <sstream>
#include <string>
#include <unistd.h>

int main()
{
    char digits[4];
    if (read(0, digits, sizeof digits) != static_cast<ssize_t>(sizeof digits))
        return 1;
    std::istringstream text(std::string(digits, sizeof digits));
    int year = 0;
    text >> year;
    if (year == 1582)
        std::abort(); // fails here
    return 0;
}
