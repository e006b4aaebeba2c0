// std::future: wait_for may say that the answer is not there yet; nobody looks at what it says.
#include <atomic>
#include <cassert>
#include <chrono>
#include <future>

static std::atomic<int> table{0};

static int fill()
{
    table = 7;
    return 1;
}

int main()
{
    std::future<int> filled = std::async(std::launch::async, fill);
    auto status = filled.wait_for(std::chrono::milliseconds(1));
#ifdef REPAIRED
    if (status != std::future_status::ready)
        filled.wait();
#else
    static_cast<void>(status);
#endif
    int seen = table;
    assert(seen == 7); // fails here
    return filled.get() != 1;
}
