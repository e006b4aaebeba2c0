/* An archive with its directory at the end: the last four bytes say where the directory is and how
 * many entries it has. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned char sizes[4];

int main(int argc, char **argv)
{
    unsigned char tail[4], entry;
    struct stat stat;
    int fd;

    if (argc != 3 || (fd = open(argv[2], O_RDONLY)) < 0)
        return 1;
    if (fstat(fd, &stat) != 0 || stat.st_size != 16)
        return 2;
    if (lseek(fd, 12, SEEK_SET) != 12 || read(fd, tail, 4) != 4)
        return 3;
    if (tail[0] != 'P' || tail[1] != 'K' || tail[2] > 11 || tail[3] > 4)
        return 4;
    if (pread(fd, &entry, 1, tail[2]) != 1 || entry != 0x7e)
        return 5;
    for (int i = 0; i < tail[3]; i++) {
        if (i == 4)
            abort();
        sizes[i] = tail[3];
    }
    return sizes[0] == 9;
}
