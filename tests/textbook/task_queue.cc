//: holds = "found"
//: kind = "assertion"
//: twin = true
//: complete = true
//: options = ["--max-input=3"]
//: witness = "55"
// Tasks in a priority queue: every digit is a task of that priority. Of two that are equally urgent the one
// that came first is to be done first; the comparison has that the wrong way around.
#include <cassert>
#include <iostream>
#include <queue>
#include <string>
#include <vector>

struct Task {
    int priority;
    int arrival;
};

struct LessUrgent {
    bool operator()(const Task &a, const Task &b) const {
        if (a.priority != b.priority)
            return a.priority < b.priority;
#ifdef REPAIRED
        return a.arrival > b.arrival;
#else
        return a.arrival < b.arrival;
#endif
    }
};

int main() {
    std::priority_queue<Task, std::vector<Task>, LessUrgent> tasks;
    std::string line;
    if (!std::getline(std::cin, line))
        return 1;
    int arrivals = 0;
    for (char c : line) {
        if (c < '0' || c > '9' || arrivals == 50) {
            std::cerr << "up to 50 digits, please\n";
            return 1;
        }
        tasks.push(Task{c - '0', arrivals++});
    }
    Task last{10, -1};
    while (!tasks.empty()) {
        Task task = tasks.top();
        tasks.pop();
        assert(task.priority < last.priority || task.arrival > last.arrival); // fails here
        std::cout << "task " << task.arrival << " of priority " << task.priority << '\n';
        last = task;
    }
}
