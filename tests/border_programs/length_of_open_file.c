//: holds = "found"
//: options = ["--input-size=1"]
//: witness = "X"
// A file that is opened before there is input is made as long as the input says.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    int file = memfd_create("file", 0);
    unsigned char byte;
    if (read(0, &byte, 1) != 1 || posix_fallocate(file, 0, byte + 1) != 0)
        return 1;
    struct stat found;
    fstat(file, &found);
    if (found.st_size == 'X' + 1)
        abort(); // fails here
    return 0;
}
