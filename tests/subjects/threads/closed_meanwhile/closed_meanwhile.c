// What waits in a stream's buffer is in the file when another thread has closed it.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static FILE *file;

static void *closes(void *unused)
{
    (void)unused;
    fclose(file);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    file = fopen("words", "w+");
    if (!file)
        return 1;
    int other = open("words", O_RDONLY);
    fputs("x", file);
    pthread_create(&thread, NULL, closes, NULL);
#ifdef REPAIRED
    pthread_join(thread, NULL);
    assert(lseek(other, 0, SEEK_END) == 1);
#else
    assert(lseek(other, 0, SEEK_END) == 0); // fails here
    pthread_join(thread, NULL);
#endif
    return 0;
}
