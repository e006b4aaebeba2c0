//: holds = "found"
//: complete = true
//: options = ["--max-input=5"]
//: args = ["@@"]
// Lines of a file, read through a file stream and compared with a word.
#include <cstdlib>
#include <fstream>
#include <string>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    std::ifstream file(argv[1]);
    std::string line;
    int enabled = 0;
    while (std::getline(file, line)) {
        if (line == "on=1")
            enabled++;
    }
    if (enabled == 1)
        std::abort(); // fails here
    return 0;
}
