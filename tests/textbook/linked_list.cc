//: holds = "found"
//: kind = "segv"
//: twin = true
//: complete = true
//: options = ["--max-input=3"]
//: witness = "aB"
// A linked list of letters: a lower-case letter is added in front, an upper-case one removes it.
// The search goes on behind the last node if the letter is not there.
#include <iostream>
#include <memory>

class List {
public:
    void add(char value) { head_ = std::make_unique<Node>(Node{value, std::move(head_)}); }

    bool remove(char value) {
        if (!head_)
            return false;
        if (head_->value == value) {
            head_ = std::move(head_->next);
            return true;
        }
        Node *before = head_.get();
#ifdef REPAIRED
        while (before->next && before->next->value != value)
#else
        while (before->next->value != value) // fails here
#endif
            before = before->next.get();
#ifdef REPAIRED
        if (!before->next)
            return false;
#endif
        before->next = std::move(before->next->next);
        return true;
    }

    void print(std::ostream &out) const {
        for (const Node *node = head_.get(); node; node = node->next.get())
            out << node->value;
        out << '\n';
    }

private:
    struct Node {
        char value;
        std::unique_ptr<Node> next;
    };
    std::unique_ptr<Node> head_;
};

int main() {
    List list;
    char c;
    for (int commands = 0; commands < 20 && std::cin >> c; ++commands) {
        if (c >= 'a' && c <= 'z')
            list.add(c);
        else if (c >= 'A' && c <= 'Z' && !list.remove(c - 'A' + 'a'))
            std::cerr << c << " is not in the list\n";
    }
    list.print(std::cout);
}
