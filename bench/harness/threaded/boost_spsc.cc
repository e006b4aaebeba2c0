// boost::lockfree::spsc_queue: what one thread pushes another pops, in order.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

static boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> queue;

int main()
{
    int pushed = 0, popped = 0;
    std::thread producer([&] {
        for (int item = 1; item <= 3; item++)
            pushed += queue.push(item);
    });
    std::thread consumer([&] {
        int item, last = 0;
        for (int attempt = 0; attempt < 3; attempt++)
            if (queue.pop(item)) {
                assert(item > last);
                last = item;
                popped++;
            }
    });
    producer.join();
    consumer.join();
    int item;
    while (queue.pop(item))
        popped++;
    assert(pushed >= 2 && popped == pushed);
}
