// A block is made larger, so that it is elsewhere, while another thread still has a pointer to where it was.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *numbers;

static void *grow(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    int *more = realloc(numbers, 1000 * sizeof(int));
    if (more)
        numbers = more;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    numbers = calloc(1, sizeof(int));
    if (!numbers)
        return 1;
    pthread_t grows;
    pthread_create(&grows, NULL, grow, NULL);
    pthread_mutex_lock(&lock);
    int *mine = numbers;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#ifdef REPAIRED
    mine = numbers;
#endif
    mine[0] = 2; // fails here
    pthread_mutex_unlock(&lock);
    pthread_join(grows, NULL);
    free(numbers);
    return 0;
}
