// Classes: which method is called depends on the input.
#include <cstdlib>
#include <memory>
#include <unistd.h>

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};
struct Square : Shape {
    explicit Square(int side) : side(side) {}
    int area() const override { return side * side; }
    int side;
};
struct Strip : Shape {
    Strip(int a, int b) : a(a), b(b) {}
    int area() const override { return a * b; }
    int a, b;
};

static std::unique_ptr<Shape> make(const unsigned char *b)
{
    if (b[0] == 's')
        return std::make_unique<Square>(b[1]);
    if (b[0] == 't')
        return std::make_unique<Strip>(b[1], b[2]);
    return nullptr;
}

int main()
{
    unsigned char b[3];
    if (read(0, b, sizeof b) != static_cast<ssize_t>(sizeof b))
        return 1;
    auto shape = make(b);
    if (!shape)
        return 2;
#ifdef REPAIRED
    if (shape->area() == 51 * 97)
        return 3;
#else
    if (shape->area() == 51 * 97)
        abort(); // fails here
#endif
    return 0;
}
