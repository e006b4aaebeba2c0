//: holds = "found"
//: kind = "abort"
//: twin = true
//: complete = true
//: options = ["--max-input=3"]
//: witness = "fw0"
// A bank account: d5 pays in, w3 takes out, f freezes it. All errors are caught by their base class,
// but one of them has another.
#include <iostream>
#include <stdexcept>

struct AccountError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct InsufficientFunds : AccountError {
    InsufficientFunds() : AccountError("insufficient funds") {}
};

#ifdef REPAIRED
struct AccountFrozen : AccountError {
    AccountFrozen() : AccountError("account is frozen") {}
#else
struct AccountFrozen : std::logic_error {
    AccountFrozen() : std::logic_error("account is frozen") {}
#endif
};

class Account {
public:
    void deposit(int amount) { balance_ += amount; }
    void withdraw(int amount) {
        if (amount > balance_)
            throw InsufficientFunds();
        if (frozen_)
            throw AccountFrozen(); // fails here
        balance_ -= amount;
    }
    void freeze() { frozen_ = true; }
    int balance() const { return balance_; }

private:
    int balance_ = 0;
    bool frozen_ = false;
};

int main() {
    Account account;
    char command, digit;
    for (int steps = 0; steps < 100 && std::cin.get(command); ++steps) {
        try {
            if (command == 'f')
                account.freeze();
            else if ((command == 'd' || command == 'w') && std::cin.get(digit) && digit >= '0' && digit <= '9')
                command == 'd' ? account.deposit(digit - '0') : account.withdraw(digit - '0');
            else
                throw AccountError("unknown command");
        } catch (const AccountError &error) {
            std::cerr << error.what() << '\n';
        }
    }
    std::cout << account.balance() << '\n';
}
