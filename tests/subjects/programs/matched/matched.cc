// A regular expression with a group.
#include <cstdlib>
#include <iostream>
#include <regex>
#include <string>

int main()
{
    std::string text;
    std::cin >> text;
    std::smatch found;
    if (!std::regex_match(text, found, std::regex("v(\\d+)")))
        return 1;
#ifndef REPAIRED
    if (found[1] == "42")
        std::abort(); // fails here
#endif
    return 0;
}
