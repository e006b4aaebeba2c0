// boost::lockfree::stack: one thread pushes, two pop; nothing is lost, and nothing is popped twice.
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

static boost::lockfree::stack<int, boost::lockfree::capacity<4>> stack;

int main()
{
    int sums[2] = {0, 0};
    stack.push(1);
    auto pop = [&](int of) {
        int item;
        if (stack.pop(item))
            sums[of] += item;
    };
    std::thread one(pop, 0), other(pop, 1);
    stack.push(2);
    one.join();
    other.join();
    int item, sum = sums[0] + sums[1];
    while (stack.pop(item))
        sum += item;
    assert(sum == 3);
}
