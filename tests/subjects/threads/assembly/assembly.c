// Inline assembly: a count is taken up by one instruction without its prefix, told as two here.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static long count;

static void *add(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    __asm__ volatile("lock incq %0" : "+m"(count) : : "memory", "cc");
#else
    long now;
    __asm__ volatile("movq %1, %0" : "=r"(now) : "m"(count) : "memory");
    now++;
    __asm__ volatile("movq %1, %0" : "=m"(count) : "r"(now) : "memory");
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2); // fails here
    return 0;
}
