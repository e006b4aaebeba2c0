//: holds = "clean"
//: options = ["--budget=20runs"]
// Two threads that add up long arrays: they take many moves, but both end.
#include <pthread.h>
#include <stddef.h>

enum { LENGTH = 120000, HALF = LENGTH / 2 };

static int numbers[LENGTH];
static long sums[2];

static void *add(void *half)
{
    int which = *(int *)half;
    long sum = 0;
    for (int i = which * HALF; i < (which + 1) * HALF; i++)
        sum += numbers[i];
    sums[which] = sum;
    return NULL;
}

int main(void)
{
    for (int i = 0; i < LENGTH; i++)
        numbers[i] = i % 5;
    pthread_t threads[2];
    int halves[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, &halves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return sums[0] + sums[1] != 2L * LENGTH;
}
