// A semaphore with a name that lets two in where one is meant.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#ifdef REPAIRED
enum { FREE = 1 };
#else
enum { FREE = 2 };
#endif

static int inside;

static void *enter(void *unused)
{
    (void)unused;
    sem_t *door = sem_open("/door", O_CREAT, 0600, FREE);
    sem_wait(door);
    int there = __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    assert(there == 1); // fails here
    __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    sem_post(door);
    sem_close(door);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, enter, NULL);
    enter(NULL);
    pthread_join(t, NULL);
    sem_unlink("/door");
    return 0;
}
