//: holds = "found"
//: complete = true
//: options = ["--max-input=16"]
//: args = ["@@"]
// The size of the input file is asked of the file system: nothing reads the file itself.
#include <cstdlib>
#include <filesystem>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    if (std::filesystem::file_size(argv[1]) == 11)
        std::abort(); // fails here
    return 0;
}
