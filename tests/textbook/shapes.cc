//: holds = "found"
//: kind = "segv"
//: twin = true
//: complete = true
//: options = ["--max-input=4"]
//: witness = "s8"
// Shapes with virtual functions, made by a factory: s5 is a square, c3 a circle. Large ones are moved
// into a list of their own, and used after that.
#include <iostream>
#include <memory>
#include <vector>

class Shape {
public:
    virtual ~Shape() = default;
    virtual int area() const = 0;
};

class Square : public Shape {
public:
    explicit Square(int side) : side_(side) {}
    int area() const override { return side_ * side_; }

private:
    int side_;
};

class Circle : public Shape {
public:
    explicit Circle(int radius) : radius_(radius) {}
    int area() const override { return 3 * radius_ * radius_; }

private:
    int radius_;
};

std::unique_ptr<Shape> make_shape(char kind, char size) {
    if (size < '1' || size > '9')
        return nullptr;
    switch (kind) {
    case 's': return std::make_unique<Square>(size - '0');
    case 'c': return std::make_unique<Circle>(size - '0');
    default: return nullptr;
    }
}

int main() {
    std::vector<std::unique_ptr<Shape>> large;
    long total = 0;
    char kind, size;
    while (std::cin.get(kind) && std::cin.get(size)) {
        std::unique_ptr<Shape> shape = make_shape(kind, size);
        if (!shape)
            break;
#ifdef REPAIRED
        total += shape->area();
#endif
        if (shape->area() > 60)
            large.push_back(std::move(shape));
#ifndef REPAIRED
        total += shape->area(); // fails here
#endif
    }
    std::cout << large.size() << " large, area " << total << '\n';
}
