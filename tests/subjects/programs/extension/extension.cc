// The parts of a path.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>

int main()
{
    std::string name;
    std::getline(std::cin, name);
    const std::filesystem::path path(name);
#ifndef REPAIRED
    if (path.extension() == ".c" && path.stem() == "x")
        std::abort(); // fails here
#endif
    return 0;
}
