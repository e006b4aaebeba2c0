//: holds = "found"
//: kind = "abort"
//: twin = true
//: complete = true
//: options = ["--max-input=3"]
//: witness = "w=y"
// Settings of one letter each: w=8 is the width, v=y says that more is printed, t=abc is the title. A value is
// a number, a truth value or a text by its looks, and the width is not always a number.
#include <iostream>
#include <string>
#include <variant>

using Value = std::variant<int, bool, std::string>;

struct Settings {
    int width = 80;
    bool verbose = false;
    std::string title;
};

Value parse_value(const std::string &text) {
    if (text == "y" || text == "n")
        return text == "y";
    if (text.size() == 1 && text[0] >= '0' && text[0] <= '9')
        return text[0] - '0';
    return text;
}

bool set(Settings &settings, char key, const Value &value) {
    switch (key) {
    case 'w':
#ifdef REPAIRED
        if (!std::holds_alternative<int>(value))
            return false;
#endif
        settings.width = std::get<int>(value); // fails here
        return true;
    case 'v':
        if (const bool *verbose = std::get_if<bool>(&value))
            settings.verbose = *verbose;
        return std::holds_alternative<bool>(value);
    case 't':
        if (const std::string *title = std::get_if<std::string>(&value))
            settings.title = *title;
        return std::holds_alternative<std::string>(value);
    default:
        return false;
    }
}

int main() {
    Settings settings;
    std::string line;
    while (std::getline(std::cin, line))
        if (line.size() < 3 || line[1] != '=' || !set(settings, line[0], parse_value(line.substr(2))))
            std::cerr << "cannot set: " << line << '\n';
    std::cout << settings.title << ' ' << settings.width << ' ' << settings.verbose << '\n';
}
