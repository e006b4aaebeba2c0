//: holds = "found"
//: complete = true
//: options = ["--input-size=2"]
// A number is written as text by a stream, and the text compared.
#include <cstdlib>
#include <sstream>
#include <string>
#include <unistd.h>

int main()
{
    unsigned short number;
    if (read(0, &number, sizeof number) != static_cast<ssize_t>(sizeof number))
        return 1;
    std::ostringstream text;
    text << "page " << number;
    if (text.str() == "page 1066")
        std::abort(); // fails here
    return 0;
}
