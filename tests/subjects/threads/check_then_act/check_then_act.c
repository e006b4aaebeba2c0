// Every access is under the lock, and the decision is not: it is made in one region and acted upon
// in the next.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void *withdraw(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    int enough = balance >= 10;
#ifndef REPAIRED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    if (enough)
        balance -= 10;
    assert(balance >= 0); // fails here
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, withdraw, NULL);
    pthread_create(&b, NULL, withdraw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
