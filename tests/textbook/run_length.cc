//: holds = "clean"
//: complete = true
//: options = ["--max-input=4"]
// Run-length coding of letters with string streams: aaab becomes 3a1b, and back.
#include <cassert>
#include <cctype>
#include <iostream>
#include <sstream>
#include <string>

std::string encode(const std::string &text) {
    std::ostringstream out;
    std::size_t i = 0;
    while (i < text.size()) {
        std::size_t j = i;
        while (j < text.size() && text[j] == text[i])
            ++j;
        out << j - i << text[i];
        i = j;
    }
    return out.str();
}

std::string decode(const std::string &code) {
    std::istringstream in(code);
    std::string text;
    std::size_t count;
    char letter;
    while (in >> count >> letter)
        text.append(count, letter);
    return text;
}

int main() {
    std::string text;
    if (!std::getline(std::cin, text) || text.size() > 100)
        return 1;
    for (char c : text)
        if (!std::isalpha(static_cast<unsigned char>(c))) {
            std::cerr << "letters only, please\n";
            return 1;
        }
    const std::string code = encode(text);
    assert(decode(code) == text);
    std::cout << text << " -> " << code << '\n';
}
