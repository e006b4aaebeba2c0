#include <unistd.h>

int next_of(int count, char **words)
{
    return getopt(count, words, "ab");
}
