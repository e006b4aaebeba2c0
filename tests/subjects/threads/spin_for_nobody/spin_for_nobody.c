// Two threads spin until the other is ready, and say that they are themselves only afterwards.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int ready[2];

static void *meet(void *argument)
{
    int me = (int)(intptr_t)argument;
#ifdef REPAIRED
    atomic_store(&ready[me], 1);
#endif
    while (!atomic_load(&ready[1 - me])) // fails here
        ;
#ifndef REPAIRED
    atomic_store(&ready[me], 1);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, meet, (void *)(intptr_t)0);
    pthread_create(&b, NULL, meet, (void *)(intptr_t)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
