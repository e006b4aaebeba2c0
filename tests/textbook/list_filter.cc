//: holds = "found"
//: kind = "use-after-free"
//: twin = true
//: complete = true
//: options = ["--max-input=3", "--sanitize=address"]
//: witness = "373"
// Reads digits into a list and removes all that equal the first one but that first one itself. The loop goes on
// from an element that was erased.
#include <iostream>
#include <iterator>
#include <list>
#include <numeric>

void remove_copies(std::list<int> &numbers) {
    const int first = numbers.front();
#ifdef REPAIRED
    for (auto it = std::next(numbers.begin()); it != numbers.end();) {
        if (*it == first)
            it = numbers.erase(it);
        else
            ++it;
    }
#else
    for (auto it = std::next(numbers.begin()); it != numbers.end(); ++it) { // fails here
        if (*it == first)
            numbers.erase(it);
    }
#endif
}

int main() {
    std::list<int> numbers;
    char c;
    while (std::cin.get(c) && c >= '0' && c <= '9')
        numbers.push_back(c - '0');
    if (numbers.size() < 2) {
        std::cerr << "two digits or more, please\n";
        return 1;
    }
    remove_copies(numbers);
    for (int number : numbers)
        std::cout << number << ' ';
    std::cout << "sum " << std::accumulate(numbers.begin(), numbers.end(), 0L) << '\n';
}
