//: holds = "clean"
//: complete = true
//: options = ["--max-input=3"]
// The cipher of Caesar: a digit as the key, then a text whose letters are moved that far, with std::transform
// and a lambda that captures the key.
#include <algorithm>
#include <cassert>
#include <iostream>
#include <iterator>
#include <string>

std::string shift(const std::string &text, int key) {
    std::string result;
    std::transform(text.begin(), text.end(), std::back_inserter(result), [key](char c) -> char {
        if (c >= 'a' && c <= 'z')
            return 'a' + (c - 'a' + key + 26) % 26;
        if (c >= 'A' && c <= 'Z')
            return 'A' + (c - 'A' + key + 26) % 26;
        return c;
    });
    return result;
}

int main() {
    char digit;
    std::string text;
    if (!std::cin.get(digit) || digit < '0' || digit > '9') {
        std::cerr << "the key is a digit\n";
        return 1;
    }
    std::getline(std::cin, text);
    const int key = digit - '0';
    const std::string secret = shift(text, key);
    assert(secret.size() == text.size());
    assert(shift(secret, -key) == text);
    std::cout << secret << '\n';
}
