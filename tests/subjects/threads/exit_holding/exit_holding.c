// pthread_exit: a thread ends while it holds a lock, which nobody gives back for it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void give_up_if_odd(int n)
{
    if (n % 2 != 0) {
#ifdef REPAIRED
        pthread_mutex_unlock(&lock);
#endif
        pthread_exit(NULL);
    }
}

static void *add(void *arg)
{
    int n = *(int *)arg;
    pthread_mutex_lock(&lock); // fails here
    give_up_if_odd(n);
    total += n;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    static int numbers[2] = {2, 3};
    pthread_t a, b;
    pthread_create(&a, NULL, add, &numbers[0]);
    pthread_create(&b, NULL, add, &numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return total != 2;
}
