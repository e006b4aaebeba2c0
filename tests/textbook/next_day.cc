//: holds = "found"
//: kind = "assertion"
//: twin = true
//: complete = true
//: options = ["--input-size=5"]
//: witness = "31.12"
// Dates without a year: reads 28.2 and prints the day after it. The last day of a month leads to the next
// month, and that of December to the thirteenth.
#include <array>
#include <cassert>
#include <iostream>

class Date {
public:
    Date(int day, int month) : day_(day), month_(month) {}

    bool valid() const { return month_ >= 1 && month_ <= 12 && day_ >= 1 && day_ <= length(month_); }

    Date &operator++() {
        if (++day_ > length(month_)) {
            day_ = 1;
            ++month_;
#ifdef REPAIRED
            if (month_ > 12)
                month_ = 1;
#endif
        }
        return *this;
    }

    friend std::ostream &operator<<(std::ostream &out, const Date &date) {
        return out << date.day_ << '.' << date.month_;
    }

private:
    static int length(int month) {
        static const std::array<int, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
        return days[month - 1];
    }

    int day_, month_;
};

int main() {
    int day, month;
    char dot;
    if (!(std::cin >> day >> dot >> month) || dot != '.')
        return 1;
    Date date(day, month);
    if (!date.valid()) {
        std::cerr << "no such day: " << date << '\n';
        return 1;
    }
    ++date;
    assert(date.valid()); // fails here
    std::cout << date << '\n';
}
