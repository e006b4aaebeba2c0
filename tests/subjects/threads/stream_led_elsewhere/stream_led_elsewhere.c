// One thread prints, another leads standard output to a file: what is printed before is not in there.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

static void *leads(void *unused)
{
    if (!freopen("log", "w", stdout))
        return NULL;
    return unused;
}

int main(void)
{
    struct stat log;
    pthread_t thread;
    pthread_create(&thread, NULL, leads, NULL);
#ifdef REPAIRED
    pthread_join(thread, NULL);
#endif
    puts("done");
#ifndef REPAIRED
    pthread_join(thread, NULL);
#endif
    fflush(stdout);
    assert(stat("log", &log) == 0 && log.st_size == 5); // fails here
    return 0;
}
