/* Containers and algorithms of the C++ library. */
#include <algorithm>
#include <any>
#include <bitset>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

/* std::map::find, std::map::operator[] */
static long in_map(char *s, size_t n)
{
    std::map<std::string, int> all{{"a", 1}, {"7", 2}, {"zz", 3}};
    all["+"] = 4;
    auto at = all.find(std::string(s, n));
    return at == all.end() ? -1 : at->second;
}

/* std::map::lower_bound */
static long near_in_map(long v)
{
    std::map<long, long> all{{3, 30}, {50, 5}, {97, 9}};
    auto at = all.lower_bound(v);
    return at == all.end() ? 0 : at->second + at->first;
}

/* std::unordered_map::count, std::unordered_map::at */
static long in_hash_map(char *s, size_t n)
{
    std::unordered_map<std::string, long> all{{"k", 10}, {"5", 20}};
    std::string key(s, n);
    return all.count(key) ? all.at(key) : -1;
}

/* std::unordered_set::insert */
static long distinct_bytes(char *s, size_t n)
{
    std::unordered_set<int> all;
    for (size_t i = 0; i < n; i++)
        all.insert(s[i] & 31);
    return (long)all.size() * 10 + (all.count(3) ? 1 : 0);
}

/* std::set::insert */
static long ordered_bytes(char *s, size_t n)
{
    std::set<char> all(s, s + n);
    all.insert('m');
    return *all.begin() + 256 * (long)all.size();
}

/* std::vector::push_back, std::sort */
static size_t vector_sorted(char *s, size_t n)
{
    std::vector<char> all;
    for (size_t i = 0; i < n; i++)
        all.push_back(s[i]);
    all.push_back('5');
    std::sort(all.begin(), all.end());
    std::copy(all.begin(), all.end(), s);
    s[all.size()] = '\0';
    return all.size();
}

/* std::vector::at */
static long vector_at(long v)
{
    std::vector<int> all{4, 8, 15, 16, 23, 42};
    try {
        return all.at((size_t)(v & 15));
    } catch (const std::out_of_range &) {
        return -1;
    }
}

/* std::accumulate, std::inner_product */
static long sums(char *s, size_t n)
{
    std::vector<int> all(s, s + n);
    return std::accumulate(all.begin(), all.end(), 7) +
           std::inner_product(all.begin(), all.end(), all.begin(), 0) % 100;
}

/* std::count_if, std::find_if */
static long conditions(char *s, size_t n)
{
    auto even = [](char c) { return c % 2 == 0; };
    return std::count_if(s, s + n, even) * 10 + (std::find_if(s, s + n, even) - s);
}

/* std::max_element, std::minmax_element */
static long extremes(char *s, size_t n)
{
    if (n == 0)
        return -1;
    auto both = std::minmax_element(s, s + n);
    return *std::max_element(s, s + n) + (*both.second - *both.first);
}

/* std::binary_search, std::upper_bound */
static long searched(long v)
{
    static const long all[] = {1, 5, 48, 97, 120};
    return std::binary_search(all, all + 5, v) * 10 + (std::upper_bound(all, all + 5, v) - all);
}

/* std::next_permutation */
static long permuted(char *s, size_t n)
{
    bool more = std::next_permutation(s, s + n);
    return more * 256 + (s[0] & 255);
}

/* std::stable_sort, std::unique */
static size_t made_unique(char *s, size_t n)
{
    std::stable_sort(s, s + n, [](char a, char b) { return (a & 15) < (b & 15); });
    n = (size_t)(std::unique(s, s + n) - s);
    s[n] = '\0';
    return n;
}

/* std::list::push_front, std::list::sort, std::list::remove */
static long linked(char *s, size_t n)
{
    std::list<char> all(s, s + n);
    all.push_front('3');
    all.remove('0');
    all.sort();
    return (long)all.size() * 256 + (all.front() & 255);
}

/* std::deque::push_front, std::deque::pop_back */
static long double_ended(char *s, size_t n)
{
    std::deque<int> all;
    for (size_t i = 0; i < n; i++)
        all.push_front(s[i]);
    all.push_front(9);
    all.pop_back();
    return all.empty() ? 0 : all.back();
}

/* std::priority_queue::top */
static long greatest_first(char *s, size_t n)
{
    std::priority_queue<int> all(s, s + n);
    all.push(40);
    long r = all.top();
    all.pop();
    return r * 3 + (all.empty() ? 0 : all.top());
}

/* std::bitset::count, std::bitset::to_string */
static size_t bits(char *s, long v)
{
    std::bitset<8> all((unsigned long)v);
    std::string text = all.to_string() + std::to_string(all.count());
    std::copy(text.begin(), text.end(), s);
    s[text.size()] = '\0';
    return text.size();
}

/* std::optional::value_or */
static long maybe(long v)
{
    std::optional<long> one;
    if (v % 6 == 1)
        one = v / 6;
    return one.value_or(-8);
}

/* std::visit, std::variant */
static long either(long v)
{
    std::variant<long, std::string> one;
    if (v % 3 == 0)
        one = v;
    else
        one = std::to_string(v);
    return std::visit(
        [](const auto &x) -> long {
            if constexpr (std::is_same_v<std::decay_t<decltype(x)>, long>)
                return x;
            else
                return (long)x.size() * 1000;
        },
        one);
}

/* std::any_cast */
static long anything(long v)
{
    std::any one = v % 4 == 2 ? std::any((int)v) : std::any(std::string("x"));
    try {
        return std::any_cast<int>(one);
    } catch (const std::bad_any_cast &) {
        return -1;
    }
}

/* std::function */
static long called(long v)
{
    std::function<long(long)> f = [v](long x) { return x * v; };
    if (v % 8 == 5)
        f = [](long x) { return x; };
    return f(3);
}

/* std::make_shared, std::weak_ptr::lock */
static long shared(long v)
{
    auto one = std::make_shared<long>(v);
    std::weak_ptr<long> weak = one;
    if (v % 10 == 7)
        one.reset();
    auto again = weak.lock();
    return again ? *again / 2 : -4;
}

/* std::gcd, std::lcm */
static long common(long v)
{
    return std::gcd(v, 60L) * 100 + std::lcm(v & 15, 6L);
}

/* std::mt19937 */
static long mersenne(long v)
{
    std::mt19937 twister((unsigned)(v & 63));
    return (long)(twister() % 200);
}

/* std::minstd_rand, std::uniform_int_distribution */
static long uniform(long v)
{
    std::minstd_rand engine((unsigned)(v & 63) + 1);
    engine.discard(5);
    return std::uniform_int_distribution<int>(0, 99)(engine);
}
