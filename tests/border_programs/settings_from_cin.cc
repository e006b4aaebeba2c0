//: holds = "found"
//: complete = true
//: options = ["--input-size=6"]
// A file of settings: lines of `std::cin`, cut at their signs and kept in a map of maps.
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

int main()
{
    std::map<std::string, std::map<std::string, std::string>> settings;
    std::string line, section;
    while (std::getline(std::cin, line)) {
        if (line.empty() || line[0] == '#')
            continue;
        if (line[0] == '[') {
            auto end = line.find(']');
            if (end == std::string::npos)
                return 1;
            section = line.substr(1, end - 1);
            continue;
        }
        auto equals = line.find('=');
        if (equals == std::string::npos)
            return 2;
        settings[section][line.substr(0, equals)] = line.substr(equals + 1);
    }
    if (settings["x"].count("y") == 1)
        std::abort(); // fails here
    for (const auto &one : settings)
        std::cout << one.first << ' ' << one.second.size() << '\n';
    return 0;
}
