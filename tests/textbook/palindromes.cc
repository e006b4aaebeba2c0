//: holds = "clean"
//: complete = true
//: options = ["--max-input=3"]
// Which palindromes can be made of the letters of a word? All permutations are tried; whether there is one can
// be told from how often each letter occurs, too.
#include <algorithm>
#include <cassert>
#include <iostream>
#include <set>
#include <string>

bool is_palindrome(const std::string &word) {
    return std::equal(word.begin(), word.begin() + word.size() / 2, word.rbegin());
}

int main() {
    std::string word;
    std::cin >> word;
    if (word.empty() || word.size() > 5) {
        std::cerr << "a word of one to five letters, please\n";
        return 1;
    }
    std::sort(word.begin(), word.end());
    std::multiset<char> letters(word.begin(), word.end());
    int odd = 0;
    for (auto it = letters.begin(); it != letters.end(); it = letters.upper_bound(*it))
        odd += letters.count(*it) % 2;

    std::set<std::string> found;
    do {
        if (is_palindrome(word))
            found.insert(word);
    } while (std::next_permutation(word.begin(), word.end()));
    assert(std::is_sorted(word.begin(), word.end()));
    assert(found.empty() == (odd > 1));
    for (const std::string &palindrome : found)
        std::cout << palindrome << '\n';
}
