// atomic_queue::AtomicQueue: push and pop wait for each other by spinning.
#include <atomic_queue/atomic_queue.h>
#include <cassert>
#include <thread>

static atomic_queue::AtomicQueue<unsigned, 2> queue;

int main()
{
    unsigned sums[2] = {0, 0};
    std::thread producer([] {
        for (unsigned item = 1; item <= 2; item++)
            queue.push(item);
    });
    auto pop = [&](int of) { sums[of] += queue.pop(); };
    std::thread one(pop, 0), other(pop, 1);
    producer.join();
    one.join();
    other.join();
    assert(sums[0] + sums[1] == 3);
}
