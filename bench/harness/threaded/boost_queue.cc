// boost::lockfree::queue: two threads push, one pops; each item is popped once, and those of a thread
// in order.
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

static boost::lockfree::queue<int, boost::lockfree::capacity<4>> queue;
static int seen[2];

static void popped(int item)
{
    int of = item / 10;
    assert(item % 10 == seen[of]);
    seen[of]++;
}

int main()
{
    auto push = [](int of) {
        for (int number = 0; number < ITEMS; number++)
            queue.push(10 * of + number);
    };
    std::thread one(push, 0), other(push, 1);
    int item;
    for (int attempt = 0; attempt < 2; attempt++)
        if (queue.pop(item))
            popped(item);
    one.join();
    other.join();
    while (queue.pop(item))
        popped(item);
    assert(seen[0] == ITEMS && seen[1] == ITEMS);
}
