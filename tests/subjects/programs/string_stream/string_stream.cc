// A line taken apart by a stream, and one put together.
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

int main()
{
    std::string line;
    std::getline(std::cin, line);
    std::istringstream words(line);
    int hour = 0, minute = 0;
    char colon = 0;
    if (!(words >> hour >> colon >> minute) || colon != ':')
        return 1;
    std::ostringstream out;
    out << hour + 1 << '.' << minute;
#ifndef REPAIRED
    if (out.str() == "10.4")
        std::abort(); // fails here
#endif
    return 0;
}
