//: holds = "found"
//: complete = true
//: options = ["--input-size=4"]
// A block that `std::cin.read` takes as a whole, and `gcount` says how much it was.
#include <cstdlib>
#include <cstring>
#include <iostream>

int main()
{
    char magic[4];
    std::cin.read(magic, sizeof magic);
    if (std::cin.gcount() == 4 && std::memcmp(magic, "OggS", 4) == 0)
        std::abort(); // fails here
    return 0;
}
