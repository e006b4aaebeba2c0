//: holds = "clean"
//: complete = true
// Two threads exchange a word in inline assembly: the variable beside it is no part of that, and there
// is no data race.
#include <pthread.h>
#include <stddef.h>

static int word, seen;

static int exchange(int *at, int value)
{
    __asm__ volatile("xchgl %0, (%1)" : "+r"(value) : "r"(at) : "memory");
    return value;
}

static void *other(void *unused)
{
    seen = exchange(&word, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    exchange(&word, 2);
    pthread_join(thread, NULL);
    return seen == 2;
}
