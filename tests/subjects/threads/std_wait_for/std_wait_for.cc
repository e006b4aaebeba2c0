// std::condition_variable: wait_for says whether what was waited for has come; nobody asks.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static int answer = 0;

static void reply()
{
    std::lock_guard<std::mutex> guard(lock);
    answer = 42;
    changed.notify_one();
}

int main()
{
    std::thread t(reply);
    {
        std::unique_lock<std::mutex> guard(lock);
        auto time = std::chrono::milliseconds(1);
        bool there = changed.wait_for(guard, time, [] { return answer != 0; });
#ifdef REPAIRED
        if (there)
            assert(answer == 42);
#else
        static_cast<void>(there);
        assert(answer == 42); // fails here
#endif
    }
    t.join();
    return 0;
}
