// Two threads with two steps each: six orders, of which each of eight kinds of inputs has one that fails. 48 executions. As the
// inputs are told from each other before there are threads, runs on different ones have the same schedules.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void step(int who)
{
    pthread_mutex_lock(&mutex);
    order = order * 2 + who;
    pthread_mutex_unlock(&mutex);
}

static void *thread(void *argument)
{
    step(argument != 0);
    step(argument != 0);
    return 0;
}

int main(void)
{
    unsigned char bytes[3];
    int kind = 0;
    if (read(0, bytes, sizeof bytes) != sizeof bytes)
        return 1;
    for (int i = 0; i < 3; i++)
        if (bytes[i] > 50 + i)
            kind |= 1 << i;
    pthread_t one, other;
    pthread_create(&one, 0, thread, 0);
    pthread_create(&other, 0, thread, (void *)1);
    pthread_join(one, 0);
    pthread_join(other, 0);
    switch (kind) {
    case 0:
        assert(order != 5);
        break;
    case 1:
        assert(order != 6);
        break;
    case 2:
        assert(order != 9);
        break;
    case 3:
        assert(order != 10);
        break;
    case 4:
        assert(order != 3);
        break;
    case 5:
        assert(order != 12);
        break;
    case 6:
        assert(order != 5);
        break;
    default:
        assert(order != 6);
    }
    return 0;
}
