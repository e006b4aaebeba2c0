//: holds = "found"
//: kind = "assertion"
//: twin = true
//: complete = true
//: options = ["--max-input=5"]
//: witness = "/***/"
// A state machine that tells comments of C from code. Of several stars before the slash, the second
// one leads back into the comment.
#include <cassert>
#include <iostream>
#include <string>

enum class State { code, slash, line, block, star };

State next(State state, char c) {
    switch (state) {
    case State::code:
        return c == '/' ? State::slash : State::code;
    case State::slash:
        if (c == '/')
            return State::line;
        return c == '*' ? State::block : State::code;
    case State::line:
        return c == '\n' ? State::code : State::line;
    case State::block:
        return c == '*' ? State::star : State::block;
    case State::star:
#ifdef REPAIRED
        if (c == '*')
            return State::star;
#endif
        return c == '/' ? State::code : State::block;
    }
    return state;
}

int main() {
    std::string text;
    char c;
    while (std::cin.get(c))
        text += c;
    State state = State::code;
    for (char c : text)
        state = next(state, c);
    if (text.size() >= 4 && text.compare(0, 2, "/*") == 0 && text.find("*/", 2) == text.size() - 2)
        assert(state == State::code); // fails here
    std::cout << (state == State::code || state == State::slash ? "code" : "in a comment") << '\n';
}
