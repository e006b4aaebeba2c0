// std::condition_variable: two threads wait for different things, and notify_one picks either.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable changed;
static int stage = 0;

static void wait_for(int wanted)
{
    std::unique_lock<std::mutex> guard(lock);
    while (stage < wanted)
        changed.wait(guard); // fails here
}

static void advance()
{
    std::lock_guard<std::mutex> guard(lock);
    stage++;
#ifdef REPAIRED
    changed.notify_all();
#else
    changed.notify_one();
#endif
}

int main()
{
    std::thread late([] { wait_for(2); });
    std::thread early([] {
        wait_for(1);
        advance();
    });
    advance();
    early.join();
    late.join();
    return 0;
}
