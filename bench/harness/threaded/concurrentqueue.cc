// moodycamel::ConcurrentQueue: two threads enqueue, main dequeues; each item comes once, and those of a
// thread in order.
#include <cassert>
#include <concurrentqueue/concurrentqueue.h>
#include <thread>

static int seen[2];

static void dequeued(int item)
{
    int of = item / 10;
    assert(item % 10 == seen[of]);
    seen[of]++;
}

int main()
{
    moodycamel::ConcurrentQueue<int> queue(8);
    auto enqueue = [&](int of) {
        for (int number = 0; number < ITEMS; number++)
            queue.enqueue(10 * of + number);
    };
    std::thread one(enqueue, 0), other(enqueue, 1);
    int item;
    if (queue.try_dequeue(item))
        dequeued(item);
    one.join();
    other.join();
    while (queue.try_dequeue(item))
        dequeued(item);
    assert(seen[0] == ITEMS && seen[1] == ITEMS);
}
