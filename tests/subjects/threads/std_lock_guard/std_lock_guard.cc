// std::lock_guard: a guard without a name ends at once, and guards nothing.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::atomic<int> total{0};

static void add()
{
#ifdef REPAIRED
    std::lock_guard<std::mutex> guard{lock};
#else
    static_cast<void>(std::lock_guard<std::mutex>{lock});
#endif
    int before = total;
    total = before + 1;
}

int main()
{
    std::thread a(add), b(add);
    a.join();
    b.join();
    assert(total == 2); // fails here
    return 0;
}
