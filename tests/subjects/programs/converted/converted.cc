// Text that becomes a number in two ways, and what is said when it does not.
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

int main()
{
    std::string text;
    std::getline(std::cin, text);
    try {
        int first = std::stoi(text), second = 0;
        std::from_chars(text.data(), text.data() + text.size(), second);
#ifndef REPAIRED
        if (first != second)
            std::abort(); // fails here
#endif
        return first == 12;
    } catch (const std::invalid_argument &error) {
        return std::string(error.what()) == "stoi" ? 2 : 3;
    }
}
