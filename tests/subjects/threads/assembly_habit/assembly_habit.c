// Assembly that writes what it says it is only given, as older code does.
#include <pthread.h>
#include <stddef.h>

static long count;

static void *add(void *unused)
{
    (void)unused;
    __asm__ volatile("incq %0" : : "m"(count) : "memory", "cc"); // fails here
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
#ifdef REPAIRED
    pthread_join(thread, NULL);
#endif
    long seen = count;
#ifndef REPAIRED
    pthread_join(thread, NULL);
#endif
    return seen > 1;
}
