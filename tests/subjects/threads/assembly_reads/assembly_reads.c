// Assembly that loads: whoever reads the same as C does is no race, whoever writes it is one. And
// assembly that stores an address does not touch what is there.
#include <pthread.h>
#include <stddef.h>

static struct {
    long head;
    long tail;
} ring;

static long items[2];
static long *first;

static void publish(long *item)
{
    long *none = NULL;
    __asm__ volatile("lock cmpxchgq %2, %0" : "+m"(first), "+a"(none) : "q"(item) : "memory", "cc");
}

static long load(const long *from)
{
    long value;
    __asm__ volatile("movq %1, %0" : "=q"(value) : "m"(*from) : "memory");
    return value;
}

static long load_by_address(const long *from)
{
    long value;
    __asm__ volatile("movq (%1), %0" : "=r"(value) : "r"(from) : "memory"); // fails here
    return value;
}

static void *look(void *unused)
{
    (void)unused;
    publish(&items[1]);
    return load(&ring.head) + load_by_address(&ring.tail) ? NULL : &ring;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
#ifndef REPAIRED
    ring.tail = 1;
#endif
    long size = ring.tail - ring.head + items[1];
    pthread_join(thread, NULL);
    return size != 0 && size != 1;
}
