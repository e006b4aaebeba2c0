// A thread writes to a file while the program ends. What it writes is read from memory and written in one move: another
// thread that reads the file sees it when its own move comes after that.
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static int file;

static void *writes(void *unused)
{
    unsigned char byte = 1;
    (void)unused;
    if (write(file, &byte, 1) != 1)
        _exit(2);
    return NULL;
}

static void at_the_end(void)
{
    _exit(0);
}

int main(void)
{
    pthread_t t;
    unsigned char byte = 0;
    file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
    atexit(at_the_end);
    pthread_create(&t, NULL, writes, NULL);
#ifdef REPAIRED
    if (pread(file, &byte, 1, 0) == 1 && byte != 1)
#else
    if (pread(file, &byte, 1, 0) == 1 && byte == 1)
#endif
        abort(); // fails here
    return 0;
}
