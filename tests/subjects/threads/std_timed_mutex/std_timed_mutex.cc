// std::timed_mutex: try_lock_for may give up; what it protects is changed all the same.
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex lock;
static std::atomic<int> total{0}, left_out{0};

static void add()
{
    bool locked = lock.try_lock_for(std::chrono::milliseconds(1));
#ifdef REPAIRED
    if (!locked) {
        left_out++;
        return;
    }
#endif
    int before = total;
    total = before + 1;
    if (locked)
        lock.unlock();
}

int main()
{
    std::thread a(add), b(add);
    a.join();
    b.join();
    assert(total + left_out == 2); // fails here
    return 0;
}
