//: holds = "clean"
//: complete = true
//: options = ["--max-input=3"]
// Finds a setting such as x=12 with a regular expression, and looks at what its groups have matched.
#include <cassert>
#include <iostream>
#include <map>
#include <regex>
#include <string>

int main() {
    const std::regex setting("([a-z]+)=([0-9]*)");
    std::map<std::string, std::string> settings;
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line.size() > 8)
            break;
        std::smatch match;
        if (std::regex_match(line, match, setting)) {
            assert(match.size() == 3);
            assert(match.length(1) >= 1);
            assert(match.position(2) == match.length(1) + 1);
            assert(match.str(1) + "=" + match.str(2) == line);
            settings[match[1]] = match[2];
        } else if (!line.empty()) {
            std::cerr << "not a setting: " << line << '\n';
        }
    }
    for (const auto &[key, value] : settings)
        std::cout << key << " is " << (value.empty() ? "nothing" : value) << '\n';
}
