// Operations of a data structure: each result could be right by itself, but who looks at the second copy
// sees what is old after somebody else, who has returned already, has seen what is new.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int copies[2];

static void publish(int value)
{
    atomic_store(&copies[0], value); // or here
#ifndef REPAIRED
    atomic_store(&copies[1], value);
#endif
}

static int look(int copy)
{
#ifdef REPAIRED
    copy = 0;
#endif
    return atomic_load(&copies[copy]); // fails here
}

static void *first(void *unused)
{
    (void)unused;
    look(0);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    look(1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    publish(1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
