//: holds = "clean"
//: complete = true
//: options = ["--max-input=3"]
//: args = ["@@"]
// Reads names and grades from a file (a1 b2 ...) into tuples, sorts them by grade and name, and finds those
// who have passed with lower_bound.
#include <algorithm>
#include <cassert>
#include <fstream>
#include <iostream>
#include <tuple>
#include <vector>

using Student = std::tuple<int, char>;

int main(int argc, char *argv[]) {
    if (argc != 2) {
        std::cerr << "usage: student_grades FILE\n";
        return 1;
    }
    std::ifstream file(argv[1]);
    if (!file.is_open()) {
        std::cerr << "cannot open " << argv[1] << '\n';
        return 1;
    }
    std::vector<Student> students;
    char name;
    int grade;
    while (file >> name >> grade) {
        if (grade < 1 || grade > 6) {
            std::cerr << "no such grade: " << grade << '\n';
            return 1;
        }
        students.emplace_back(grade, name);
    }
    std::sort(students.begin(), students.end());
    const auto failed = std::lower_bound(students.begin(), students.end(), 5,
                                         [](const Student &s, int limit) { return std::get<0>(s) < limit; });
    for (auto it = students.begin(); it != failed; ++it) {
        auto [mark, who] = *it;
        assert(mark < 5);
        std::cout << who << " has passed with " << mark << '\n';
    }
    assert(failed == students.end() || std::get<int>(*failed) >= 5);
}
