//: holds = "clean"
//: complete = true
//: options = ["--max-input=4"]
// Adds hexadecimal numbers that are separated by commas, with string_view, from_chars and optional.
#include <cassert>
#include <charconv>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

std::optional<unsigned> parse_hex(std::string_view text) {
    unsigned value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc() || end != text.data() + text.size() || value > 0xffff)
        return std::nullopt;
    return value;
}

std::string_view take_field(std::string_view &rest) {
    const std::size_t comma = rest.find(',');
    std::string_view field = rest.substr(0, comma);
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    return field;
}

int main() {
    std::string line;
    if (!std::getline(std::cin, line))
        return 1;
    std::string_view rest = line;
    unsigned long sum = 0, numbers = 0;
    while (!rest.empty()) {
        std::string_view field = take_field(rest);
        if (auto value = parse_hex(field)) {
            sum += *value;
            ++numbers;
        } else {
            std::cerr << "not a number: " << field << '\n';
        }
    }
    assert(sum <= numbers * 0xffff);
    std::cout << std::hex << sum << std::dec << " from " << numbers << " numbers\n";
}
