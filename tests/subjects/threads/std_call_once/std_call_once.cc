// std::call_once: a flag for each thread is not one flag for all.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::atomic<int> opened{0};

static void open_once()
{
#ifdef REPAIRED
    static std::once_flag flag;
#else
    static thread_local std::once_flag flag;
#endif
    std::call_once(flag, [] { opened++; });
    int times = opened;
    assert(times == 1); // fails here
}

int main()
{
    std::thread a(open_once), b(open_once);
    a.join();
    b.join();
    return 0;
}
