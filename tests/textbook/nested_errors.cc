//: holds = "clean"
//: complete = true
//: options = ["--max-input=3"]
// Exceptions inside of exceptions: each layer adds what it was doing, and resources are given back on the way by
// a custom deleter.
#include <cassert>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

int open_resources = 0;

struct Resource {
    char name;
};

struct Close {
    void operator()(Resource *resource) const {
        --open_resources;
        delete resource;
    }
};

std::unique_ptr<Resource, Close> open_resource(char name) {
    if (name == 'x')
        throw std::runtime_error("x cannot be opened");
    ++open_resources;
    return std::unique_ptr<Resource, Close>(new Resource{name});
}

void use_resources(const std::string &names, std::size_t at) {
    if (at == names.size())
        return;
    auto resource = open_resource(names[at]);
    try {
        use_resources(names, at + 1);
    } catch (...) {
        std::throw_with_nested(std::logic_error(std::string("while using ") + resource->name));
    }
}

int depth_of(const std::exception &error) {
    std::cerr << error.what() << '\n';
    try {
        std::rethrow_if_nested(error);
    } catch (const std::exception &inner) {
        return 1 + depth_of(inner);
    }
    return 1;
}

int main() {
    std::string names;
    if (!std::getline(std::cin, names) || names.size() > 10)
        return 1;
    try {
        use_resources(names, 0);
        assert(names.find('x') == std::string::npos);
    } catch (const std::exception &error) {
        assert(depth_of(error) == static_cast<int>(names.find('x')) + 1);
    }
    assert(open_resources == 0);
}
