//: holds = "clean"
//: complete = true
//: options = ["--input-size=1", "--budget=8s"]
// A spin lock in inline assembly keeps two threads apart: no order of them loses a count.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int locked, count;
static unsigned char step;

static void lock(void)
{
    int taken;
    do {
        taken = 1;
        __asm__ volatile("xchgl %0, (%1)" : "+r"(taken) : "r"(&locked) : "memory");
    } while (taken);
}

static void unlock(void) { __asm__ volatile("movl $0, (%0)" : : "r"(&locked) : "memory"); }

static void *work(void *unused)
{
    lock();
    count += step & 1 ? 3 : 1;
    unlock();
    return unused;
}

int main(void)
{
    if (read(0, &step, 1) != 1)
        return 1;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (count != 2 && count != 6)
        abort();
    return 0;
}
