// std::scoped_lock takes two mutexes without deadlock; two guards in two orders do not.
#include <mutex>
#include <thread>

struct Account {
    std::mutex lock;
    int balance = 10;
};

static void move(Account &from, Account &to, int amount)
{
#ifdef REPAIRED
    std::scoped_lock both(from.lock, to.lock);
#else
    std::lock_guard<std::mutex> first(from.lock);
    std::lock_guard<std::mutex> second(to.lock); // fails here
#endif
    from.balance -= amount;
    to.balance += amount;
}

int main()
{
    Account a, b;
    std::thread there([&] { move(a, b, 3); });
    move(b, a, 4);
    there.join();
    return a.balance != 11;
}
