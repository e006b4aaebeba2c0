// What one thread prints to a descriptor moves the other one's place in the file.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int file;

static void *prints(void *unused)
{
    (void)unused;
    dprintf(file, "%s", "xyz");
    return NULL;
}

int main(void)
{
    pthread_t thread;
    file = open("words", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0)
        return 1;
    pthread_create(&thread, NULL, prints, NULL);
#ifdef REPAIRED
    pthread_join(thread, NULL);
    assert(lseek(file, 0, SEEK_CUR) == 3);
#else
    assert(lseek(file, 0, SEEK_CUR) == 0); // fails here
    pthread_join(thread, NULL);
#endif
    return 0;
}
