// std::promise: two threads want to answer, and a promise can be kept only once; the exception of
// the second is seen by nobody.
#include <atomic>
#include <cstdlib>
#include <future>
#include <thread>

static std::promise<int> promise;
static std::atomic<bool> answered{false};

static void answer(int value)
{
#ifdef REPAIRED
    if (answered.exchange(true))
        return;
#else
    if (answered)
        return;
    answered = true;
#endif
    try {
        promise.set_value(value);
    } catch (const std::future_error &) {
        abort(); // fails here
    }
}

int main()
{
    std::future<int> future = promise.get_future();
    std::thread a(answer, 1), b(answer, 2);
    int value = future.get();
    a.join();
    b.join();
    return value == 0;
}
