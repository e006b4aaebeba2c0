// Operations of a data structure: two additions give the same number, which no order of the two gives.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

static int add(int amount)
{
#ifdef REPAIRED
    return atomic_fetch_add(&count, amount) + amount;
#else
    int sum = atomic_load(&count) + amount; // fails here
    atomic_store(&count, sum);
    return sum;
#endif
}

static void *run(void *unused)
{
    (void)unused;
    add(1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
