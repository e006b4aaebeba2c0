/* Regular expressions of the C++ library. */
#include <cstring>
#include <regex>
#include <string>

/* std::regex_match */
static long regex_matched(char *s, size_t n)
{
    static const std::regex re("[a-c]+|[0-3]");
    return std::regex_match(std::string(s, n), re);
}

/* std::regex_search */
static long regex_found(char *s, size_t n)
{
    static const std::regex re("k(\\d)?");
    std::smatch m;
    std::string text(s, n);
    return std::regex_search(text, m, re) ? m.position(0) * 10 + m.length(1) : -1;
}

/* std::regex_replace */
static size_t regex_replaced(char *s, size_t n)
{
    static const std::regex re("[5-9]");
    std::string text = std::regex_replace(std::string(s, n), re, "##");
    strcpy(s, text.substr(0, 60).c_str());
    return strlen(s);
}
