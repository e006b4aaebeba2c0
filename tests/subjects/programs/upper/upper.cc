// Letters and digits as the locale has them.
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <locale>

int main()
{
    const std::locale classic = std::locale::classic();
    char letter = 0;
    unsigned value = 0;
    if (!(std::cin >> letter >> std::hex >> value) || !std::isalpha(letter, classic))
        return 1;
#ifndef REPAIRED
    if (std::toupper(letter, classic) == 'Q' && value == 0xbe)
        std::abort(); // fails here
#endif
    return 0;
}
