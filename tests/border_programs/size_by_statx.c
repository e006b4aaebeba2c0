//: holds = "honest"
//: options = ["--max-input=16"]
//: args = ["@@"]
//: witness = "nine byte"
// The size of the input file is asked with statx.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    struct statx about;
    if (argc < 2 || statx(AT_FDCWD, argv[1], 0, STATX_SIZE, &about) != 0)
        return 1;
    if (about.stx_size == 9)
        abort(); // fails here
    return 0;
}
