//: holds = "found"
//: complete = true
//: options = ["--max-input=6"]
// The whole input goes from one stream buffer into another, as people read a file at once.
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

int main()
{
    std::ostringstream all;
    all << std::cin.rdbuf();
    std::string text = all.str();
    if (text.size() == 4 && text.back() == '}')
        std::abort(); // fails here
    return 0;
}
