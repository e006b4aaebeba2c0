// Exceptions: one kind is caught and thrown anew as another.
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>

struct Refused {
    int code;
};

static int step(int value)
{
    if (value > 200)
        throw std::out_of_range("too much");
    if (value % 16 == 9)
        throw Refused{value};
    return value / 2;
}

int main()
{
    unsigned char b[3];
    if (read(0, b, sizeof b) != static_cast<ssize_t>(sizeof b))
        return 1;
    try {
        try {
            step(b[0]);
            step(b[1]);
        } catch (const std::out_of_range &) {
            throw Refused{b[2]};
        }
    } catch (const Refused &refused) {
#ifdef REPAIRED
        if (refused.code == 77)
            return 2;
#else
        if (refused.code == 77)
            abort(); // fails here
#endif
        return 3;
    }
    return 0;
}
