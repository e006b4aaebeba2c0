//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "x"
// A library that is not instrumented takes the next option; the C library knows that one was taken before.
#include <stdlib.h>
#include <unistd.h>

int next_of(int count, char **words);

int main(void)
{
    char *words[] = {"program", "-ab", NULL};
    char c;
    if (read(0, &c, 1) != 1)
        return 1;
    getopt(2, words, "ab");
    if (next_of(2, words) == 'b' && c == 'x')
        abort(); // fails here
    return 0;
}
