// moodycamel::ReaderWriterQueue: what one thread enqueues another dequeues, in order, though there is
// room for two at first.
#include <cassert>
#include <readerwriterqueue/readerwriterqueue.h>
#include <thread>

int main()
{
    moodycamel::ReaderWriterQueue<int> queue(2);
    int dequeued = 0;
    std::thread producer([&] {
        for (int item = 0; item < 3; item++)
            queue.enqueue(item);
    });
    std::thread consumer([&] {
        int item;
        for (int attempt = 0; attempt < 3; attempt++)
            if (queue.try_dequeue(item)) {
                assert(item == dequeued);
                dequeued++;
            }
    });
    producer.join();
    consumer.join();
    int item;
    while (queue.try_dequeue(item)) {
        assert(item == dequeued);
        dequeued++;
    }
    assert(dequeued == 3);
}
