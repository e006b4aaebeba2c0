//: holds = "found"
//: complete = true
//: options = ["--input-size=1"]
//: cflags = "-std=c++20 -O1"
//: witness = "X"
// A coroutine yields what depends on the input, and keeps it over a suspension.
#include <coroutine>
#include <cstdlib>
#include <unistd.h>

struct Generator {
    struct promise_type {
        int value = 0;
        Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int next)
        {
            value = next;
            return {};
        }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

Generator counted(int from)
{
    for (int step = 0;; step++)
        co_yield from + step;
}

int main()
{
    unsigned char byte;
    if (read(0, &byte, 1) != 1)
        return 1;
    Generator generator = counted(byte);
    generator.handle.resume();
    generator.handle.resume();
    if (generator.handle.promise().value == 'X' + 1)
        std::abort(); // fails here
    generator.handle.destroy();
    return 0;
}
