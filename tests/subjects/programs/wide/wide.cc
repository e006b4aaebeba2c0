// Wide characters.
#include <cstdlib>
#include <iostream>
#include <string>

int main()
{
    std::string narrow;
    std::getline(std::cin, narrow);
    std::wstring text(narrow.begin(), narrow.end());
    std::size_t used = 0;
    try {
        const long value = std::stol(text, &used, 16);
#ifndef REPAIRED
        if (value == 0xfe && used == 2 && text.back() == L'!')
            std::abort(); // fails here
#endif
    } catch (const std::exception &) {
        return 1;
    }
    return 0;
}
