//: holds = "clean"
//: options = ["--max-input=3"]
// Says about a path that is read what it consists of, and what the file system knows about it.
#include <cassert>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>

namespace fs = std::filesystem;

int main() {
    std::string line;
    if (!std::getline(std::cin, line) || line.empty())
        return 1;
    const fs::path path(line);
    int parts = 0;
    for (const fs::path &part : path)
        parts += !part.empty();
    assert(parts > 0);
    assert(path.is_absolute() == (line[0] == '/'));
    assert(path.lexically_normal().lexically_normal() == path.lexically_normal());

    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    switch (status.type()) {
    case fs::file_type::directory:
        std::cout << "a directory\n";
        break;
    case fs::file_type::regular:
        std::cout << "a file\n";
        break;
    case fs::file_type::not_found:
        std::cout << "not there\n";
        break;
    default:
        std::cout << "something else: " << error.message() << '\n';
    }
    std::cout << path.filename() << " in " << path.parent_path() << ", " << parts << " parts\n";
}
