//: holds = "found"
//: kind = "segv"
//: twin = true
//: complete = true
//: options = ["--max-input=4"]
//: witness = "ccdp"
// A family tree of shared pointers down and weak pointers up: c has a child and goes to it, p goes to the
// parent, d lets the root forget its children. A parent may be gone by then.
#include <iostream>
#include <memory>
#include <vector>

struct Person {
    explicit Person(int generation) : generation(generation) {}
    int generation;
    std::weak_ptr<Person> parent;
    std::vector<std::shared_ptr<Person>> children;
};

std::shared_ptr<Person> have_child(const std::shared_ptr<Person> &parent) {
    auto child = std::make_shared<Person>(parent->generation + 1);
    child->parent = parent;
    parent->children.push_back(child);
    return child;
}

int main() {
    auto root = std::make_shared<Person>(0);
    auto current = root;
    char command;
    for (int commands = 0; commands < 50 && std::cin.get(command); ++commands) {
        switch (command) {
        case 'c':
            current = have_child(current);
            break;
        case 'p':
            if (current == root)
                return 1;
#ifdef REPAIRED
            if (!current->parent.lock())
                return 1;
#endif
            current = current->parent.lock();
            std::cout << "generation " << current->generation << '\n'; // fails here
            break;
        case 'd':
            root->children.clear();
            break;
        default:
            return 1;
        }
    }
}
