//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "o"
// An object of a thread's own is destroyed when a thread ends that is not the first.
#include <thread>
#include <unistd.h>

void keeps(char *text);

static char text;

int main()
{
    std::thread other([] {
        keeps(&text);
        if (read(0, &text, 1) != 1)
            text = 0;
    });
    other.join();
    return 0; // fails here
}
