//: kind = "deadlock"
//: options = ["--input-size=2"]
//: complete = true
// A mutex of the default kind is taken twice by the same thread, where two settings are the same.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int held;

static void *other(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock[1]);
    held++;
    pthread_mutex_unlock(&lock[1]);
    return NULL;
}

int main(void)
{
    unsigned char b[2];
    if (read(0, b, sizeof b) != (ssize_t)sizeof b || b[0] > b[1] || b[1] > 1)
        return 1;
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_t *first = b[0] ? &lock[1] : &lock[0], *second = b[1] ? &lock[1] : &lock[0];
    pthread_mutex_lock(first);
#ifdef REPAIRED
    if (first != second)
#endif
        pthread_mutex_lock(second); // fails here
    if (second == &lock[1])
        held++;
#ifdef REPAIRED
    if (first != second)
#endif
        pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    pthread_join(t, NULL);
    return 0;
}
