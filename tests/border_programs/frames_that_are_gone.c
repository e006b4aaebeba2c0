//: holds = "clean"
//: options = ["--memory-model=tso"]
//: complete = true
// What a thread has stored to its own stack is no longer there when others could see it: other calls have their variables
// in its place, or the thread waits there for its turn.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int x;

__attribute__((noinline)) static void count(int *all, int many)
{
    for (int at = 0; at < many; at++)
        all[at] = at;
}

__attribute__((noinline)) static int sum(int many)
{
    int all[48], sum = 0;
    count(all, many);
    for (int at = 0; at < many; at++)
        sum += all[at];
    return sum;
}

static void *sums(void *unused)
{
    (void)unused;
    int many = 48;
    int before = sum(many);
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    if (before != 48 * 47 / 2 || sum(many) != before || seen > 1)
        abort();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sums, NULL);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
