// A mutex of the default kind is taken twice by the same thread, where the input names the same
// account twice.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int moved;

static void *other(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock[1]);
    moved++;
    pthread_mutex_unlock(&lock[1]);
    return NULL;
}

int main(void)
{
    unsigned char to;
    if (read(0, &to, 1) != 1 || to > 1)
        return 1;
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    pthread_mutex_t *first = &lock[0], *second = to ? &lock[1] : &lock[0];
    pthread_mutex_lock(first);
#ifdef REPAIRED
    if (second != first)
#endif
        pthread_mutex_lock(second); // fails here
    if (second != first) {
        moved++;
        pthread_mutex_unlock(second);
    }
    pthread_mutex_unlock(first);
    pthread_join(t, NULL);
    return 0;
}
