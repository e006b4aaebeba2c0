/* Ways by which a C++ program is given its input. */
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

static size_t border_take_text(char *s, size_t most, const std::string &text)
{
    size_t n = std::min(text.size(), most);
    memcpy(s, text.data(), n);
    s[n] = '\0';
    return n;
}

/* stdin: std::cin::operator>> */
static size_t by_cin(char *s, size_t most, char **)
{
    std::string word;
    std::cin >> word;
    return border_take_text(s, most, word);
}

/* stdin: std::getline */
static size_t by_getline_of_cin(char *s, size_t most, char **)
{
    std::string line;
    std::getline(std::cin, line);
    return border_take_text(s, most, line);
}

/* stdin: std::cin::get */
static size_t by_get(char *s, size_t most, char **)
{
    size_t n = 0;
    char c;
    while (n < most && std::cin.get(c))
        s[n++] = c;
    return n;
}

/* stdin: std::cin::read, std::cin::gcount */
static size_t by_read_of_cin(char *s, size_t most, char **)
{
    std::cin.read(s, (std::streamsize)most);
    return (size_t)std::cin.gcount();
}

/* stdin: std::istreambuf_iterator */
static size_t by_iterator(char *s, size_t most, char **)
{
    std::string all((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
    return border_take_text(s, most, all);
}

/* stdin: std::ios::sync_with_stdio, std::cin::rdbuf */
static size_t by_buffer(char *s, size_t most, char **)
{
    std::ios::sync_with_stdio(false);
    std::ostringstream all;
    all << std::cin.rdbuf();
    return border_take_text(s, most, all.str());
}

/* file: std::ifstream */
static size_t by_ifstream(char *s, size_t most, char **argv)
{
    std::ifstream in(argv[1], std::ios::binary);
    std::string all((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    return border_take_text(s, most, all);
}

/* file: std::getline */
static size_t by_line_of_ifstream(char *s, size_t most, char **argv)
{
    std::ifstream in(argv[1]);
    std::string line;
    std::getline(in, line);
    return border_take_text(s, most, line);
}

/* argument: std::string */
static size_t by_string_of_argument(char *s, size_t most, char **argv)
{
    return border_take_text(s, most, std::string(argv[1]));
}

/* variable: std::getenv */
static size_t by_string_of_variable(char *s, size_t most, char **)
{
    const char *value = std::getenv("BORDER_INPUT");
    return border_take_text(s, most, value ? std::string(value) : std::string());
}
