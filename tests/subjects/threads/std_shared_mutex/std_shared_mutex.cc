// std::shared_mutex: a counter of readings is changed under a lock that readers share.
#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static std::atomic<int> readings{0};

static void read_once()
{
#ifdef REPAIRED
    std::unique_lock<std::shared_mutex> guard(lock);
#else
    std::shared_lock<std::shared_mutex> guard(lock);
#endif
    int before = readings;
    readings = before + 1;
}

int main()
{
    std::thread a(read_once), b(read_once);
    a.join();
    b.join();
    assert(readings == 2); // fails here
    return 0;
}
