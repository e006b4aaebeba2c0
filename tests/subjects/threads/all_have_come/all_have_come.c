// Waits until all have come, by looking at all of them again and again; one of them never comes.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define ALL 2
static atomic_int came[ALL];

static void *come(void *arg)
{
    long me = (long)arg;
#ifdef REPAIRED
    came[me] = 1;
#else
    if (me != 1)
        came[me] = 1;
#endif
    return NULL;
}

int main(void)
{
    pthread_t t[ALL];
    for (long i = 0; i < ALL; i++)
        pthread_create(&t[i], NULL, come, (void *)i);
    for (int count = 0; count != ALL;) {
        count = 0;
        for (int i = 0; i < ALL; i++)
            count += came[i]; // fails here
    }
    for (int i = 0; i < ALL; i++)
        pthread_join(t[i], NULL);
    return 0;
}
