// Containers: a map from input to counts.
#include <cstdlib>
#include <map>
#include <unistd.h>
#include <vector>

int main()
{
    unsigned char b[4];
    if (read(0, b, sizeof b) != static_cast<ssize_t>(sizeof b))
        return 1;
    std::map<unsigned char, int> count;
    std::vector<unsigned char> order;
    for (unsigned char c : b) {
        if (c < 'a' || c > 'c')
            return 2;
        if (++count[c] == 1)
            order.push_back(c);
    }
#ifdef REPAIRED
    if (order.size() == 2 && order[0] == 'c' && count['a'] == 3)
        return 3;
#else
    if (order.size() == 2 && order[0] == 'c' && count['a'] == 3)
        abort(); // fails here
#endif
    return 0;
}
