//: holds = "clean"
//: options = ["--budget=3runs"]
// Two threads that count the same variable many times: no run is one that does not end.
#include <atomic>
#include <thread>

int main()
{
    constexpr long times = 60000;
    std::atomic<long> count{0};
    auto work = [&] {
        for (long i = 0; i < times; i++)
            count.fetch_add(1, std::memory_order_relaxed);
    };
    std::thread one(work), other(work);
    one.join();
    other.join();
    return count != 2 * times;
}
