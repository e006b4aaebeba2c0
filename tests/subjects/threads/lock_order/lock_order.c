// Three threads and three locks: each holds one and wants the next.
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                  PTHREAD_MUTEX_INITIALIZER};
static int uses[3];

static void *use_two(void *arg)
{
    int i = (int)(intptr_t)arg, first = i, second = (i + 1) % 3;
#ifdef REPAIRED
    if (first > second) {
        first = second;
        second = i;
    }
#endif
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[second]); // fails here
    uses[first]++;
    uses[second]++;
    pthread_mutex_unlock(&lock[second]);
    pthread_mutex_unlock(&lock[first]);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, use_two, (void *)(intptr_t)i);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return uses[0] + uses[1] + uses[2] != 6;
}
