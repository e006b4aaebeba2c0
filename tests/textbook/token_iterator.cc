//: holds = "found"
//: kind = "heap-buffer-overflow"
//: twin = true
//: complete = true
//: options = ["--max-input=3", "--sanitize=address"]
//: witness = "a "
// An iterator of one's own over the words of a text. Blanks between words are skipped without looking for
// the end.
#include <cstddef>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

class WordIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string *;
    using reference = std::string;

    WordIterator(const char *at, const char *end) : at_(at), end_(end) {}

    std::string operator*() const { return std::string(at_, word_end()); }

    WordIterator &operator++() {
        at_ = word_end();
        if (at_ != end_) {
            ++at_;
#ifdef REPAIRED
            while (at_ != end_ && *at_ == ' ')
#else
            while (*at_ == ' ') // fails here
#endif
                ++at_;
        }
        return *this;
    }

    bool operator==(const WordIterator &other) const { return at_ == other.at_; }
    bool operator!=(const WordIterator &other) const { return at_ != other.at_; }

private:
    const char *word_end() const {
        const char *p = at_;
        while (p != end_ && *p != ' ')
            ++p;
        return p;
    }

    const char *at_, *end_;
};

int main() {
    std::string line;
    if (!std::getline(std::cin, line) || line.empty())
        return 1;
    const std::vector<char> text(line.begin(), line.end());
    const char *end = text.data() + text.size();
    for (WordIterator word(text.data(), end); word != WordIterator(end, end); ++word)
        std::cout << '[' << *word << "]\n";
}
