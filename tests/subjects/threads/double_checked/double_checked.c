// Double-checked locking: the first look is outside of the lock, at a variable that is not atomic.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef REPAIRED
static atomic_int is_made;
#else
static int is_made;
#endif
static atomic_int value;

static int get(void)
{
    if (!is_made) { // fails here
        pthread_mutex_lock(&lock);
        if (!atomic_load(&value)) {
            atomic_store(&value, 3);
            is_made = 1; // or here
        }
        pthread_mutex_unlock(&lock);
    }
    return atomic_load(&value);
}

static void *use(void *unused)
{
    (void)unused;
    return get() == 3 ? NULL : &value;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, use, NULL);
    get();
    void *wrong;
    pthread_join(t, &wrong);
    return wrong != NULL;
}
