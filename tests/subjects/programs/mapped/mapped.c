// A file that is mapped into memory; its size is looked up first.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct stat st;
    int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size < 6)
        return 1;
    const unsigned char *at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED)
        return 2;
    int sum = at[0] + at[5];
#ifdef REPAIRED
    if (sum == 321 && at[1] == 'm')
        return 3;
#else
    if (sum == 321 && at[1] == 'm')
        abort(); // fails here
#endif
    return 0;
}
