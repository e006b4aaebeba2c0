//: holds = "clean"
//: complete = true
//: options = ["--max-input=3"]
// A hand of cards with the values 0 to 9 in a deque: cut by the first of them, sorted, doubles removed, the even
// ones put in front.
#include <algorithm>
#include <bitset>
#include <cassert>
#include <deque>
#include <iostream>
#include <numeric>

int main() {
    std::deque<int> hand;
    std::bitset<10> seen;
    char c;
    while (hand.size() < 20 && std::cin.get(c) && c >= '0' && c <= '9') {
        hand.push_back(c - '0');
        seen.set(c - '0');
    }
    if (hand.empty()) {
        std::cerr << "cards are digits\n";
        return 1;
    }

    const int first = hand.front();
    const std::size_t cut = first % hand.size();
    std::rotate(hand.begin(), hand.begin() + cut, hand.end());
    assert(hand[(hand.size() - cut) % hand.size()] == first);

    std::sort(hand.begin(), hand.end());
    hand.erase(std::unique(hand.begin(), hand.end()), hand.end());
    assert(hand.size() == seen.count());

    auto is_even = [](int card) { return card % 2 == 0; };
    const int before = std::accumulate(hand.begin(), hand.end(), 0);
    auto middle = std::stable_partition(hand.begin(), hand.end(), is_even);
    assert(std::all_of(hand.begin(), middle, is_even) && std::none_of(middle, hand.end(), is_even));
    assert(std::accumulate(hand.begin(), hand.end(), 0) == before);
    std::cout << middle - hand.begin() << " even, " << hand.end() - middle << " odd, sum " << before << '\n';
}
