//: holds = "found"
//: kind = "assertion"
//: twin = true
//: complete = true
//: options = ["--input-size=4"]
//: witness = "7:60"
// Reads a time such as 7:45 with a regular expression, which also takes minutes that no clock shows.
#include <cassert>
#include <iostream>
#include <regex>
#include <string>

class Clock {
public:
    Clock(int hours, int minutes) : hours_(hours), minutes_(minutes) {
        assert(hours_ >= 0 && hours_ < 24 && minutes_ >= 0 && minutes_ < 60); // fails here
    }
    int since_midnight() const { return 60 * hours_ + minutes_; }

private:
    int hours_, minutes_;
};

int main() {
    std::string line;
    if (!std::getline(std::cin, line) || line.size() > 5)
        return 1;
#ifdef REPAIRED
    const std::regex time("([0-9]):([0-5][0-9])");
#else
    const std::regex time("([0-9]):([0-9][0-9])");
#endif
    std::smatch match;
    if (!std::regex_match(line, match, time)) {
        std::cerr << "not a time\n";
        return 1;
    }
    Clock clock(std::stoi(match[1]), std::stoi(match[2]));
    std::cout << clock.since_midnight() << " minutes since midnight\n";
}
