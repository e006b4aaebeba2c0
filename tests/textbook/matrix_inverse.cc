//: holds = "found"
//: kind = "fpe"
//: twin = true
//: complete = true
//: options = ["--input-size=4"]
//: witness = "1224"
// A matrix as a template: reads the four digits of a 2x2 matrix and solves A * (x, y) = (100, 100) by the
// rule of Cramer. Only zeros on the diagonal are refused, not a determinant of zero.
#include <array>
#include <cstddef>
#include <iostream>

template <typename T, std::size_t Rows, std::size_t Columns>
class Matrix {
public:
    T &operator()(std::size_t row, std::size_t column) { return cells_[row * Columns + column]; }
    const T &operator()(std::size_t row, std::size_t column) const { return cells_[row * Columns + column]; }

private:
    std::array<T, Rows * Columns> cells_{};
};

using Square = Matrix<int, 2, 2>;

int determinant(const Square &m) { return m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0); }

Square with_column(Square m, std::size_t column, int value) {
    for (std::size_t row = 0; row < 2; ++row)
        m(row, column) = value;
    return m;
}

int main() {
    Square a;
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t column = 0; column < 2; ++column) {
            char c;
            if (!std::cin.get(c) || c < '0' || c > '9')
                return 1;
            a(row, column) = c - '0';
        }
    if (a(0, 0) == 0 || a(1, 1) == 0)
        return 1;
#ifdef REPAIRED
    if (determinant(a) == 0)
        return 1;
#endif
    int x = determinant(with_column(a, 0, 100)) / determinant(a); // fails here
    int y = determinant(with_column(a, 1, 100)) / determinant(a);
    std::cout << x << ' ' << y << '\n';
}
