/* A table in a file that is mapped: the header says which row to show. */
#include <assert.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct stat stat;
    const unsigned char *at;
    int fd;

    if (argc != 2 || (fd = open(argv[1], O_RDONLY)) < 0 || fstat(fd, &stat) != 0)
        return 1;
    at = mmap(0, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (at == MAP_FAILED || stat.st_size != 6)
        return 2;
    if (at[0] != 'T' || at[1] != 'B')
        return 3;
    if (at[2] + at[3] == 200 && at[4] == at[2] && at[5] == (at[3] ^ 0x55))
        assert(at[2] != 77); // fails here
    return munmap((void *)at, (size_t)stat.st_size) != 0;
}
