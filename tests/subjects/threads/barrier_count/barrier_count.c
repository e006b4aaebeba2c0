// A barrier for three, and as many threads as the input says.
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static pthread_barrier_t barrier;

static void *meet(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&barrier); // fails here
    return NULL;
}

int main(void)
{
    unsigned char number;
    if (read(0, &number, 1) != 1 || number < 1 || number > 2)
        return 1;
    pthread_t t[2];
#ifdef REPAIRED
    pthread_barrier_init(&barrier, NULL, number + 1u);
#else
    pthread_barrier_init(&barrier, NULL, 3);
#endif
    for (int i = 0; i < number; i++)
        pthread_create(&t[i], NULL, meet, NULL);
    pthread_barrier_wait(&barrier); // or here
    for (int i = 0; i < number; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
