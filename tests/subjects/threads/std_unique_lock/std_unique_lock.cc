// std::unique_lock: what was read under the lock is used after it was given back for a while.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::atomic<int> stock{1}, sold{0};

static void sell()
{
    std::unique_lock<std::mutex> guard(lock);
    bool available = stock > 0;
    guard.unlock();
    std::this_thread::yield();
    guard.lock();
#ifdef REPAIRED
    available = stock > 0;
#endif
    if (available) {
        stock--;
        sold++;
    }
}

int main()
{
    std::thread a(sell), b(sell);
    a.join();
    b.join();
    assert(sold == 1); // fails here
    return 0;
}
