/* Streams of the C++ library. */
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <locale>
#include <sstream>
#include <string>

/* std::istringstream::operator>> */
static long stream_number(char *s, size_t n)
{
    std::istringstream in(std::string(s, n));
    int v = -1;
    in >> v;
    return in ? v : in.eof() ? -2 : -3;
}

/* std::hex */
static long stream_hex(char *s, size_t n)
{
    std::stringstream in(std::string(s, n));
    unsigned v = 0;
    in >> std::hex >> v;
    return (long)(v & 0xfff) + (in.fail() ? 10000 : 0);
}

/* std::getline */
static long stream_lines(char *s, size_t n)
{
    std::istringstream in(std::string(s, n));
    std::string line;
    long r = 0;
    while (std::getline(in, line, ','))
        r = r * 5 + (long)line.size() + 1;
    return r;
}

/* std::ostringstream::operator<< */
static size_t stream_text(char *s, long v)
{
    std::ostringstream out;
    out << v << ':' << (v > 3) << ' ' << (double)v / 4;
    std::string text = out.str();
    strcpy(s, text.c_str());
    return text.size();
}

/* std::setw, std::setfill */
static size_t stream_padded(char *s, long v)
{
    std::ostringstream out;
    out << std::setw(6) << std::setfill('*') << std::hex << (v & 0xffff);
    strcpy(s, out.str().c_str());
    return strlen(s);
}

/* std::setprecision, std::fixed */
static size_t stream_fixed(char *s, long v)
{
    std::ostringstream out;
    out << std::fixed << std::setprecision(2) << (double)v / 8;
    strcpy(s, out.str().c_str());
    return strlen(s);
}

/* std::istream::get, std::istream::peek, std::istream::unget */
static long stream_characters(char *s, size_t n)
{
    std::istringstream in(std::string(s, n));
    int a = in.peek();
    int b = in.get();
    in.unget();
    return a * 2 - b + in.get();
}

/* std::istream::ignore, std::istream::read, std::istream::gcount */
static long stream_block(char *s, size_t n)
{
    std::istringstream in(std::string(s, n));
    char block[4] = "";
    in.ignore(10, ';');
    in.read(block, 2);
    return (long)in.gcount() * 256 + (block[0] & 255);
}

/* std::istream_iterator */
static long stream_words(char *s, size_t n)
{
    std::istringstream in(std::string(s, n));
    long r = 0;
    for (std::istream_iterator<std::string> i(in), end; i != end; ++i)
        r = r * 7 + (long)i->size();
    return r;
}

/* std::istream::tellg, std::istream::seekg */
static long stream_place(char *s, size_t n)
{
    std::istringstream in(std::string(s, n) + "end");
    char c = 0;
    in.seekg((std::streamoff)(n / 2));
    in >> c;
    return (long)in.tellg() * 256 + (c & 255);
}

/* std::ofstream, std::ifstream */
static size_t stream_file(char *s, size_t n)
{
    {
        std::ofstream out("border.txt", std::ios::binary);
        out.write(s, (std::streamsize)n);
    }
    std::ifstream in("border.txt", std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    in.close();
    remove("border.txt");
    strcpy(s, text.substr(0, 60).c_str());
    return strlen(s);
}

/* std::cout */
static long stream_said(long v)
{
    std::cout << v << std::endl;
    return std::cout.good() * 2 + v % 9;
}

/* std::quoted */
static size_t stream_quoted(char *s, size_t n)
{
    std::ostringstream out;
    out << std::quoted(std::string(s, n));
    strcpy(s, out.str().substr(0, 60).c_str());
    return strlen(s);
}

/* std::toupper, std::isalpha */
static long stream_locale(char *s, size_t n)
{
    std::locale c = std::locale::classic();
    (void)n;
    return std::toupper(s[0], c) + 300 * std::isalpha(s[0], c);
}

/* std::boolalpha */
static long stream_truth(char *s, size_t n)
{
    std::istringstream in(n > 0 && s[0] == 't' ? std::string("true") : std::string(s, n));
    bool b = false;
    in >> std::boolalpha >> b;
    return b * 2 + in.fail();
}

/* std::istream::operator>> */
static long stream_real(char *s, size_t n)
{
    std::istringstream in(std::string(s, n));
    double d = -1;
    in >> d;
    return d > 2 && d < 4 ? 1 : d >= 8 ? 2 : 0;
}
