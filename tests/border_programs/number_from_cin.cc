//: holds = "found"
//: complete = true
//: options = ["--max-input=3"]
// A number that `std::cin >>` reads is followed through the library's own conversion.
#include <cstdlib>
#include <iostream>

int main()
{
    int port;
    if (!(std::cin >> port))
        return 1;
    if (port == 443)
        std::abort(); // fails here
    return 0;
}
