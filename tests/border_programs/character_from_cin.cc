//: holds = "found"
//: complete = true
//: options = ["--input-size=2"]
// A character of `std::cin` where it has a buffer of its own, apart from that of `stdin`.
#include <cstdlib>
#include <iostream>

int main()
{
    std::ios::sync_with_stdio(false);
    char c;
    if (!std::cin.get(c))
        return 1;
    if (c == '@')
        std::abort(); // fails here
    return 0;
}
