//: holds = "found"
//: kind = "abort"
//: twin = true
//: complete = true
//: options = ["--max-input=3"]
//: witness = "a"
// Says by its extension what kind of file a path names. The extension comes with its dot, which is cut off,
// but a name may have none.
#include <filesystem>
#include <iostream>
#include <string>

namespace fs = std::filesystem;

std::string extension_of(const fs::path &path) {
    std::string extension = path.extension().string();
#ifdef REPAIRED
    if (extension.empty())
        return extension;
#endif
    return extension.substr(1); // fails here
}

std::string kind_of(const std::string &extension) {
    if (extension == "c" || extension == "h")
        return "a source";
    if (extension == "o")
        return "an object";
    return "something else";
}

int main() {
    std::string line;
    if (!std::getline(std::cin, line) || line.empty())
        return 1;
    fs::path path(line);
    if (!path.has_filename()) {
        std::cout << "a directory\n";
        return 0;
    }
    if (path.filename().string().front() == '.') {
        std::cout << "hidden\n";
        return 0;
    }
    std::cout << path.stem().string() << " is " << kind_of(extension_of(path)) << '\n';
}
