//: holds = "found"
//: kind = "segv"
//: twin = true
//: complete = true
//: options = ["--max-input=3"]
//: witness = "of"
//: args = ["@@"]
// Counts the words of a file and prints the most frequent one that is not a stop word. A file of stop words
// alone has none.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

int main(int argc, char *argv[]) {
    if (argc < 2) {
        std::cerr << "usage: word_count FILE\n";
        return 1;
    }
    std::ifstream file(argv[1]);
    if (!file)
        return 1;
    std::map<std::string, int> counts;
    std::string word;
    while (file >> word)
        ++counts[word];
    if (counts.empty()) {
        std::cout << "no words\n";
        return 0;
    }

    const std::set<std::string> stop_words{"of", "to"};
    std::vector<std::pair<std::string, int>> ranked;
    for (const auto &entry : counts)
        if (stop_words.count(entry.first) == 0)
            ranked.push_back(entry);
    auto best = std::max_element(ranked.begin(), ranked.end(),
                                 [](const auto &a, const auto &b) { return a.second < b.second; });
#ifdef REPAIRED
    if (best == ranked.end())
        return 0;
#endif
    int times = best->second; // fails here
    std::cout << best->first << ": " << times << '\n';
}
