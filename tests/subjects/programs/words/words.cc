// std::string: found, cut and compared.
#include <cstdlib>
#include <string>
#include <unistd.h>

int main()
{
    char b[8];
    if (read(0, b, sizeof b) != static_cast<ssize_t>(sizeof b))
        return 1;
    std::string text(b, sizeof b);
    auto colon = text.find(':');
    if (colon == std::string::npos || colon < 3)
        return 2;
    std::string key = text.substr(0, colon);
#ifdef REPAIRED
    if (key == "size" && text[7] == '9')
        return 3;
#else
    if (key == "size" && text[7] == '9')
        abort(); // fails here
#endif
    return 0;
}
