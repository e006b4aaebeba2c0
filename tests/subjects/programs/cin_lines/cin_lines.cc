// Lines from standard input: a command and what it is about.
#include <cstdlib>
#include <iostream>
#include <string>

int main()
{
    std::string command, subject;
    if (!std::getline(std::cin, command) || !std::getline(std::cin, subject))
        return 1;
    if (command == "rm" && subject.empty())
        return 2;
#ifndef REPAIRED
    if (command == "rm" && subject.front() == '/')
        std::abort(); // fails here
#endif
    std::cout << subject << '\n';
    return 0;
}
