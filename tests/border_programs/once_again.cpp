//: holds = "clean"
//: complete = true
//: cflags = "-pthread"
// What is done once and fails is done again by who comes next.
#include <cstdlib>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int tries;

static void attempt()
{
    try {
        std::call_once(flag, [] {
            if (++tries == 1)
                throw 1;
        });
    } catch (int) {
    }
}

int main()
{
    std::thread other(attempt);
    attempt();
    other.join();
    if (tries != 2)
        std::abort();
}
