//: holds = "found"
//: complete = true
//: cflags = "-pthread"
// A variable is destroyed at the end while a detached thread still uses it.
#include <atomic>
#include <cstdlib>
#include <thread>

struct Value {
    std::atomic<int> state{1};
    ~Value() { state = 2; }
};

static Value value;

int main()
{
    std::thread([] {
        if (value.state == 2)
            std::abort(); // fails here
    }).detach();
}
