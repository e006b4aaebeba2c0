//: holds = "honest"
//: options = ["--input-size=1"]
//: witness = "X"
// Memory is moved by a system call that the program makes by its number.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static char *pages(size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void)
{
    char *from = pages(4096), *to = pages(8192);
    if (read(0, from, 1) != 1)
        return 1;
    long flags = MREMAP_MAYMOVE | MREMAP_FIXED;
    volatile char *moved = (char *)syscall(SYS_mremap, from, 4096L, 4096L, flags, to);
    if (*moved == 'X')
        abort(); // fails here
    return 0;
}
