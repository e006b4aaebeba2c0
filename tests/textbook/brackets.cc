//: holds = "found"
//: kind = "segv"
//: twin = true
//: complete = true
//: options = ["--max-input=3"]
//: witness = ")"
// Are the brackets of a line balanced? A stack of those that are open; nobody asks whether the stack
// is empty when a closing one comes.
#include <iostream>
#include <stack>
#include <string>
#include <vector>

using Stack = std::stack<char, std::vector<char>>;

bool is_open(char c) { return c == '(' || c == '[' || c == '{'; }

char partner(char closing) {
    switch (closing) {
    case ')': return '(';
    case ']': return '[';
    case '}': return '{';
    default: return 0;
    }
}

bool balanced(const std::string &line) {
    Stack open;
    for (char c : line) {
        if (is_open(c)) {
            open.push(c);
        } else if (char wanted = partner(c)) {
#ifdef REPAIRED
            if (open.empty())
                return false;
#endif
            if (open.top() != wanted) // fails here
                return false;
            open.pop();
        }
    }
    return open.empty();
}

int main() {
    std::string line;
    if (!std::getline(std::cin, line))
        return 1;
    std::cout << (balanced(line) ? "balanced" : "not balanced") << '\n';
}
