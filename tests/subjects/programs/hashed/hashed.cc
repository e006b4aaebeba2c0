// A table that finds its places by hashing.
#include <cstdlib>
#include <iostream>
#include <string>
#include <unordered_map>

int main()
{
    std::unordered_map<std::string, int> codes{{"on", 1}, {"off", 2}, {"up", 3}};
    std::string word;
    std::getline(std::cin, word);
    const auto found = codes.find(word);
#ifndef REPAIRED
    if (found != codes.end() && found->second == 2)
        std::abort(); // fails here
#endif
    return found == codes.end();
}
