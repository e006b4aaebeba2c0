//: holds = "found"
//: kind = "abort"
//: twin = true
//: complete = true
//: options = ["--max-input=3"]
//: witness = "1.."
// Compares a version such as 1.12 with the oldest that is supported. The parts are split at dots and read with
// std::stoi, which does not like an empty one.
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

std::vector<int> parse_version(const std::string &text) {
    std::vector<int> parts;
    std::istringstream stream(text);
    std::string part;
    while (std::getline(stream, part, '.')) {
#ifdef REPAIRED
        if (part.empty())
            throw std::out_of_range("a part is missing");
#endif
        parts.push_back(std::stoi(part)); // fails here
    }
    return parts;
}

int main() {
    const std::vector<int> oldest{1, 5};
    std::string text;
    if (!std::getline(std::cin, text))
        return 1;
    if (text.empty() || text.find_first_not_of("0123456789.") != std::string::npos) {
        std::cerr << "a version has digits and dots\n";
        return 1;
    }
    try {
        bool supported = !(parse_version(text) < oldest);
        std::cout << text << (supported ? " is" : " is not") << " supported\n";
    } catch (const std::out_of_range &) {
        std::cerr << "that is no version\n";
        return 1;
    }
}
