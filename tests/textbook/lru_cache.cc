//: holds = "found"
//: kind = "assertion"
//: twin = true
//: options = ["--max-input=3"]
//: witness = "abc"
// A cache of two entries that drops the least recently used one: a list in the order of use and an index
// into it. What is dropped is erased from the index under the new key.
#include <cassert>
#include <cctype>
#include <iostream>
#include <list>
#include <unordered_map>

class Cache {
public:
    explicit Cache(std::size_t capacity) : capacity_(capacity) {}

    bool use(char key) {
        auto found = index_.find(key);
        if (found != index_.end()) {
            order_.splice(order_.begin(), order_, found->second);
            return true;
        }
        if (order_.size() == capacity_) {
#ifdef REPAIRED
            index_.erase(order_.back());
#else
            index_.erase(key);
#endif
            order_.pop_back();
        }
        order_.push_front(key);
        index_[key] = order_.begin();
        assert(index_.size() == order_.size()); // fails here
        return false;
    }

private:
    std::size_t capacity_;
    std::list<char> order_;
    std::unordered_map<char, std::list<char>::iterator> index_;
};

int main() {
    Cache cache(2);
    int hits = 0;
    char key;
    for (int used = 0; used < 100 && std::cin.get(key); ++used)
        if (std::islower(static_cast<unsigned char>(key)))
            hits += cache.use(key);
    std::cout << hits << " hits\n";
}
