// Operations of a data structure: a stack of Treiber's, whose `pop` looks at the top and changes it in
// two steps, so that two threads can have the same element.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int below[4], top;

static void push(int element)
{
    int old = atomic_load(&top); // or here
    do
        atomic_store(&below[element], old);
    while (!atomic_compare_exchange_strong(&top, &old, element));
}

static int pop(void)
{
    int old = atomic_load(&top); // fails here
#ifdef REPAIRED
    while (old && !atomic_compare_exchange_strong(&top, &old, atomic_load(&below[old])))
        ;
#else
    if (old)
        atomic_store(&top, atomic_load(&below[old]));
#endif
    return old;
}

static void *run(void *unused)
{
    (void)unused;
    pop();
    return NULL;
}

int main(void)
{
    pthread_t t;
    push(1);
    push(2);
    pthread_create(&t, NULL, run, NULL);
    pop();
    pthread_join(t, NULL);
    return 0;
}
