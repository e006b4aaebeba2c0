// A key's destructor gives back what belongs to a thread when the thread ends; somebody else still
// knows where it was.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int *published;

static void give_back(void *mine)
{
    pthread_mutex_lock(&lock);
#ifdef REPAIRED
    published = NULL;
#endif
    free(mine);
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    (void)unused;
    int *mine = malloc(sizeof *mine);
    if (!mine)
        return NULL;
    *mine = 4;
    pthread_setspecific(key, mine);
    pthread_mutex_lock(&lock);
    published = mine;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_key_create(&key, give_back);
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int seen = 4;
    pthread_mutex_lock(&lock);
    if (published)
        seen = *published; // fails here
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return seen != 4;
}
