/* std::string and what converts it. */
#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>

static size_t border_store(char *s, const std::string &text)
{
    size_t n = std::min<size_t>(text.size(), 60);
    memcpy(s, text.data(), n);
    s[n] = '\0';
    return n;
}

/* std::string::find, std::string::rfind */
static long string_find(char *s, size_t n)
{
    std::string text(s, n);
    size_t at = text.find('k');
    return at == std::string::npos ? -1 : (long)(at * 10 + text.rfind('k'));
}

/* std::string::find_first_of, std::string::find_last_not_of */
static long string_find_any(char *s, size_t n)
{
    std::string text(s, n);
    return (long)(text.find_first_of("+-") + 1) * 10 + (long)(text.find_last_not_of(" 0") + 1);
}

/* std::string::compare */
static long string_compare(char *s, size_t n)
{
    std::string text(s, n);
    int c = text.compare("m");
    return c < 0 ? 1 : c > 0 ? 2 : 3;
}

/* std::string::substr, std::string::append */
static size_t string_substr(char *s, size_t n)
{
    std::string text(s, n);
    return border_store(s, text.substr(0, 2).append("/").append(text));
}

/* std::string::insert, std::string::erase */
static size_t string_edit(char *s, size_t n)
{
    std::string text(s, n);
    text.insert(0, "ab");
    text.erase(1, 1);
    return border_store(s, text);
}

/* std::string::replace */
static size_t string_replace(char *s, size_t n)
{
    std::string text(s, n);
    size_t at = text.find('x');
    if (at != std::string::npos)
        text.replace(at, 1, "--");
    return border_store(s, text);
}

/* std::to_string */
static size_t string_of_number(char *s, long v)
{
    return border_store(s, std::to_string(v) + std::to_string(v > 0));
}

/* std::stoi */
static long string_stoi(char *s, size_t n)
{
    try {
        return std::stoi(std::string(s, n));
    } catch (const std::invalid_argument &) {
        return -1;
    } catch (const std::out_of_range &) {
        return -2;
    }
}

/* std::stoul */
static long string_stoul(char *s, size_t n)
{
    try {
        size_t used = 0;
        unsigned long v = std::stoul(std::string(s, n), &used, 16);
        return (long)(v & 0xffff) + 100000 * (long)used;
    } catch (const std::exception &) {
        return -1;
    }
}

/* std::stod */
static long string_stod(char *s, size_t n)
{
    try {
        double d = std::stod(std::string(s, n));
        return d > 4.5 && d < 6 ? 1 : 0;
    } catch (const std::exception &) {
        return -1;
    }
}

/* std::string::at */
static long string_at(char *s, size_t n)
{
    std::string text(s, n);
    try {
        return text.at(text.at(0) & 7);
    } catch (const std::out_of_range &e) {
        return -(long)strlen(e.what()) / 10;
    }
}

/* std::from_chars */
static long string_from_chars(char *s, size_t n)
{
    int v = -1;
    auto r = std::from_chars(s, s + n, v, 10);
    return r.ec == std::errc() ? v + 1000 * (r.ptr - s) : -1;
}

/* std::to_chars */
static size_t string_to_chars(char *s, long v)
{
    auto r = std::to_chars(s, s + 40, v, 7);
    *r.ptr = '\0';
    return (size_t)(r.ptr - s);
}

/* std::string_view::find, std::string_view::remove_prefix */
static long view_of_text(char *s, size_t n)
{
    std::string_view view(s, n);
    if (view.size() > 1)
        view.remove_prefix(1);
    return (long)view.find('7') + 2 * (view == "q");
}

/* std::hash */
static long string_hash(char *s, size_t n)
{
    return (long)(std::hash<std::string>()(std::string(s, n)) & 0xff);
}

/* std::reverse, std::rotate */
static size_t string_reversed(char *s, size_t n)
{
    std::string text(s, n);
    std::reverse(text.begin(), text.end());
    if (!text.empty())
        std::rotate(text.begin(), text.begin() + 1, text.end());
    return border_store(s, text + "!");
}

/* std::transform, std::string::push_back */
static size_t string_transformed(char *s, size_t n)
{
    std::string text(s, n);
    std::transform(text.begin(), text.end(), text.begin(), [](char c) { return (char)(c ^ 0x11); });
    text.push_back('.');
    return border_store(s, text);
}

/* std::wstring, std::stol */
static long wide_string(char *s, size_t n)
{
    std::wstring text(s, s + n);
    try {
        return std::stol(text);
    } catch (const std::exception &) {
        return (long)text.find(L'w');
    }
}
