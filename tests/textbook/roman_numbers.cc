//: holds = "found"
//: kind = "assertion"
//: twin = true
//: complete = true
//: options = ["--max-input=3"]
//: witness = "II"
// Roman numbers: reads a word and prints its value. A letter before a larger one is subtracted;
// the comparison also takes it off before an equal one.
#include <cassert>
#include <iostream>
#include <string>

int value_of(char letter) {
    switch (letter) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    case 'D': return 500;
    case 'M': return 1000;
    default: return 0;
    }
}

int from_roman(const std::string &text) {
    int total = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        int value = value_of(text[i]);
#ifdef REPAIRED
        bool subtract = i + 1 < text.size() && value < value_of(text[i + 1]);
#else
        bool subtract = i + 1 < text.size() && value <= value_of(text[i + 1]);
#endif
        total += subtract ? -value : value;
    }
    return total;
}

int main() {
    std::string text;
    if (!(std::cin >> text) || text.size() > 15) {
        std::cerr << "a roman number, please\n";
        return 1;
    }
    for (char letter : text)
        if (value_of(letter) == 0) {
            std::cerr << "not a roman digit: " << letter << '\n';
            return 1;
        }
    int value = from_roman(text);
    assert(value > 0); // fails here
    std::cout << text << " = " << value << '\n';
}
