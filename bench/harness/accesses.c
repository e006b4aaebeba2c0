/* Two threads with 5,000 accesses each to memory that both could see, and none in common. */
#include <pthread.h>
#include <stddef.h>

static volatile int cells[2][64];

static void *work(void *row)
{
    volatile int *mine = row;
    for (int i = 0; i < 2500; i++)
        mine[i % 64] = mine[(i + 1) % 64] + 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)cells[0]);
    pthread_create(&b, NULL, work, (void *)cells[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
