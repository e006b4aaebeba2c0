//: holds = "found"
//: kind = "abort"
//: twin = true
//: complete = true
//: options = ["--max-input=3"]
//: witness = "ab!"
// A string class of one's own that owns its memory, without a copy constructor: a line that ends in ! is kept
// as the last command, and freed twice.
#include <cstddef>
#include <cstring>
#include <iostream>
#include <string>

class Text {
public:
    explicit Text(const char *text) : length_(std::strlen(text)), data_(new char[length_ + 1]) {
        std::memcpy(data_, text, length_ + 1);
    }
#ifdef REPAIRED
    Text(const Text &other) : Text(other.data_) {}
#else
    Text(const Text &other) = default;
#endif
    Text &operator=(const Text &) = delete;
    ~Text() { delete[] data_; } // fails here

    std::size_t length() const { return length_; }
    char operator[](std::size_t i) const { return data_[i]; }
    friend std::ostream &operator<<(std::ostream &out, const Text &text) { return out << text.data_; }

private:
    std::size_t length_;
    char *data_;
};

bool is_command(const Text &text) {
    return text.length() > 1 && text[0] >= 'a' && text[0] <= 'z' && text[text.length() - 1] == '!';
}

int main() {
    std::string line;
    if (!std::getline(std::cin, line))
        return 1;
    Text text(line.c_str());
    if (is_command(text)) {
        Text last_command = text;
        std::cout << "command " << last_command << '\n';
    } else {
        std::cout << "text " << text << '\n';
    }
}
