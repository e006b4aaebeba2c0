//: holds = "found"
//: options = ["--input-size=1"]
//: witness = "Z"
// A mapping of more than a run may use, of which little is touched: what fails in it is confirmed.
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *space = mmap(NULL, 16UL << 30, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (space == MAP_FAILED)
        return 1;
    unsigned char megabyte;
    if (read(0, &megabyte, 1) != 1)
        return 2;
    space[(unsigned long)megabyte << 20] = 1;
    if (space['Z' << 20] == 1)
        abort(); // fails here
    return 0;
}
