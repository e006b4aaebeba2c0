//: holds = "clean"
//: complete = true
//: options = ["--max-input=3"]
// Manipulators: reads a number and writes it in bases ten, eight and sixteen, filled with zeros; what was written
// is read again with a string stream.
#include <cassert>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

std::string in_hex(int number) {
    std::ostringstream out;
    out << std::hex << std::setw(4) << std::setfill('0') << number;
    return out.str();
}

int from_hex(const std::string &text) {
    std::istringstream in(text);
    int number = -1;
    in >> std::hex >> number;
    return number;
}

int main() {
    int number;
    if (!(std::cin >> std::dec >> number)) {
        std::cerr << "a number, please\n";
        return 1;
    }
    if (number < 0 || number > 999) {
        std::cerr << "from 0 to 999\n";
        return 1;
    }
    const std::string hex = in_hex(number);
    assert(hex.size() == 4);
    assert(from_hex(hex) == number);
    std::cout << std::left << std::setw(8) << number << std::oct << std::showbase << std::setw(8) << number << hex
              << std::boolalpha << ' ' << (number % 2 == 0) << '\n';
}
