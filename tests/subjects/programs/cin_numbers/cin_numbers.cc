// Numbers from standard input, as the library reads them.
#include <iostream>

int main()
{
    int total = 0, parts = 0;
    if (!(std::cin >> total >> parts))
        return 1;
#ifdef REPAIRED
    if (parts == 7)
        return 2;
#endif
    std::cout << total / (parts - 7) << '\n'; // fails here
    return 0;
}
