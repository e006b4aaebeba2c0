// __thread: a counter that should number all orders numbers those of each thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

static atomic_int numbers[3];

static void order(void)
{
#ifdef REPAIRED
    static atomic_int counter;
    int number = atomic_fetch_add(&counter, 1);
#else
    static __thread int counter;
    int number = counter++;
#endif
    int before = atomic_exchange(&numbers[number], 1);
    assert(before == 0); // fails here
}

static void *orders(void *arg)
{
    for (intptr_t i = 0; i < (intptr_t)arg; i++)
        order();
    return NULL;
}

int main(void)
{
    unsigned char more;
    if (read(0, &more, 1) != 1)
        return 1;
    pthread_t t;
    pthread_create(&t, NULL, orders, (void *)(intptr_t)2);
    if (more == '+')
        order();
    pthread_join(t, NULL);
    return 0;
}
