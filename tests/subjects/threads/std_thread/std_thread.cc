// std::thread: a lambda captures by reference what changes before it runs.
#include <atomic>
#include <cassert>
#include <thread>

int main()
{
    std::atomic<int> number{1}, sum{0};
#ifdef REPAIRED
    std::thread first([&sum, mine = number.load()] { sum += mine; });
#else
    std::thread first([&] { sum += number; });
#endif
    number = 2;
#ifdef REPAIRED
    std::thread second([&sum, mine = number.load()] { sum += mine; });
#else
    std::thread second([&] { sum += number; });
#endif
    first.join();
    second.join();
    assert(sum == 3); // fails here
    return 0;
}
