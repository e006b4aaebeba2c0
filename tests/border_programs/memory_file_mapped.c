//: holds = "honest"
//: options = ["--input-size=2"]
//: witness = "mf"
// Input is written to a file that exists in memory only, and seen through a mapping of it.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    char b[2];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 1;
    int file = memfd_create("shared", 0);
    if (file < 0 || write(file, b, sizeof b) != (ssize_t)sizeof b)
        return 2;
    char *seen = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
    if (seen == MAP_FAILED)
        return 3;
    if (seen[0] == 'm' && seen[1] == 'f')
        abort(); // fails here
    return 0;
}
