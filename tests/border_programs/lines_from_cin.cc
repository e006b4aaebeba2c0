//: holds = "found"
//: complete = true
//: options = ["--max-input=5"]
// Lines of `std::cin`, one after the other until the end of the input.
#include <cstdlib>
#include <iostream>
#include <string>

int main()
{
    std::string line;
    int ignored = 0;
    while (std::getline(std::cin, line)) {
        if (line == "end")
            std::abort(); // fails here
        ignored++;
    }
    return ignored > 3;
}
