// std::condition_variable: the last of two to arrive should wake who waits; both see that they are
// not the last.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable all_here;
static std::atomic<int> missing{2};

static void arrive()
{
#ifdef REPAIRED
    int left = --missing;
#else
    int left = missing - 1;
    missing--;
#endif
    if (left == 0) {
        std::lock_guard<std::mutex> guard(lock);
        all_here.notify_one();
    }
}

int main()
{
    std::thread a(arrive), b(arrive);
    {
        std::unique_lock<std::mutex> guard(lock);
        while (missing > 0)
            all_here.wait(guard); // fails here
    }
    a.join();
    b.join();
    return 0;
}
