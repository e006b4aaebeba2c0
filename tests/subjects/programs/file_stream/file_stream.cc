// A file that is read character by character and then from the start again.
#include <cstdlib>
#include <fstream>
#include <string>

int main(int, char **argv)
{
    std::ifstream file(argv[1], std::ios::binary);
    int sum = 0;
    for (char c; file.get(c);)
        sum += c == '+';
    file.clear();
    file.seekg(0);
    std::string word;
    file >> word;
#ifndef REPAIRED
    if (sum == 2 && word == "C++")
        std::abort(); // fails here
#endif
    return 0;
}
