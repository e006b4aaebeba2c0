//: holds = "clean"
//: complete = true
//: options = ["--input-size=2"]
//: cflags = "-pthread"
// What does not depend on input is printed, formatted and counted beside it: nothing of that is a reason to
// give up.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <future>
#include <iomanip>
#include <iostream>
#include <string>

static int twice(int x)
{
    return x == 'q' ? 1 : 2 * x;
}

int main()
{
    char bytes[3] = {};
    if (!std::cin.read(bytes, 2))
        return 1;
    std::time_t now = std::time(nullptr);
    std::tm date = *std::gmtime(&now);
    std::cout << 1.5 << ' ' << std::put_time(&date, "%Y-%m-%d") << std::to_string(2.5) << '\n';
    std::FILE *out = std::fopen("out.txt", "w");
    if (bytes[0] == 'x')
        std::fputs("found", out);
    std::fputc(bytes[1], out);
    long size = std::ftell(out);
    std::fclose(out);
    if (bytes[0] == 'q')
        return size + (std::strtod(bytes, nullptr) > 1);
    return std::async(std::launch::async, twice, bytes[0]).get() == 1;
}
