// std::atomic: the largest value so far is compared and stored in two steps.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> largest{0};

static void offer(int value)
{
#ifdef REPAIRED
    int before = largest;
    while (before < value && !largest.compare_exchange_strong(before, value)) {
    }
#else
    if (largest < value)
        largest = value;
#endif
}

int main()
{
    std::thread a(offer, 3), b(offer, 5);
    a.join();
    b.join();
    assert(largest == 5); // fails here
    return 0;
}
