//: holds = "found"
//: complete = true
// Two threads exchange a word in inline assembly: which of them comes first is explored.
#include <pthread.h>
#include <stdlib.h>

static int word, seen, mine;

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
    mine = exchange(&word, 2);
    pthread_join(thread, NULL);
    if (seen == 2)
        abort(); // fails here
    return mine != 1;
}
