// std::async: the future of a task waits for the task when it ends; the task waits for what comes
// after.
#include <atomic>
#include <future>
#include <semaphore.h>

static sem_t go;
static std::atomic<int> result{0};

static void task()
{
    sem_wait(&go); // fails here
    result = 1;
}

int main()
{
    sem_init(&go, 0, 0);
#ifdef REPAIRED
    std::future<void> future = std::async(std::launch::async, task);
#else
    {
        std::future<void> future = std::async(std::launch::async, task);
    } // or here
#endif
    sem_post(&go);
#ifdef REPAIRED
    future.get();
#endif
    return result != 1;
}
