// C++ streams write to those of C, and wait for them.
#include <cstdio>
#include <iostream>
#include <mutex>
#include <thread>

static std::mutex lock;

static void counts()
{
#ifdef REPAIRED
    std::lock_guard<std::mutex> guard(lock);
    flockfile(stdout);
#else
    flockfile(stdout);
    std::lock_guard<std::mutex> guard(lock); // fails here
#endif
    funlockfile(stdout);
}

int main()
{
    std::thread thread(counts);
    {
        std::lock_guard<std::mutex> guard(lock);
        std::cout << 'x'; // fails here
    }
    thread.join();
}
