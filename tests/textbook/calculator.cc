//: holds = "found"
//: kind = "fpe"
//: twin = true
//: complete = true
//: options = ["--max-input=3"]
//: witness = "7%0"
// A pocket calculator for single digits, from left to right: 2+3*4 is 20. The operators are lambdas
// in a map; the division looks for a zero, the remainder does not.
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

using Operator = std::function<int(int, int)>;

int digit(char c) {
    if (c < '0' || c > '9')
        throw std::invalid_argument("a digit was expected");
    return c - '0';
}

int main() {
    const std::map<char, Operator> operators{
        {'+', [](int a, int b) { return a + b; }},
        {'-', std::minus<int>()},
        {'*', [](int a, int b) { return a * b; }},
        {'/', [](int a, int b) { return b == 0 ? throw std::domain_error("division by zero") : a / b; }},
        {'%', [](int a, int b) {
#ifdef REPAIRED
             if (b == 0)
                 throw std::domain_error("remainder by zero");
#endif
             return a % b; // fails here
         }},
    };
    std::string line;
    if (!std::getline(std::cin, line) || line.empty() || line.size() > 9)
        return 1;
    try {
        int result = digit(line[0]);
        for (std::size_t i = 1; i + 1 < line.size(); i += 2) {
            auto found = operators.find(line[i]);
            if (found == operators.end())
                throw std::invalid_argument("an operator was expected");
            result = found->second(result, digit(line[i + 1]));
        }
        std::cout << result << '\n';
    } catch (const std::logic_error &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
